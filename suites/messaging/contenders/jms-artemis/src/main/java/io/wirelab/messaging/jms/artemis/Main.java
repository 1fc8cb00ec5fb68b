package io.wirelab.messaging.jms.artemis;

import io.wirelab.messaging.artemis.ArtemisBroker;
import io.wirelab.messaging.jms.Jms;

/** The contender {@code jms-artemis} and its variants. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Jms.main(arguments, ArtemisProvider::new, spec -> new ArtemisBroker(spec, "CORE"));
    }
}
