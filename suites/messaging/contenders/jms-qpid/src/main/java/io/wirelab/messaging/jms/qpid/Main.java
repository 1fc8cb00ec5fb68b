package io.wirelab.messaging.jms.qpid;

import io.wirelab.messaging.artemis.ArtemisBroker;
import io.wirelab.messaging.jms.Jms;

/** The contender {@code jms-qpid}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Jms.main(arguments, QpidProvider::new, spec -> new ArtemisBroker(spec, "AMQP"));
    }
}
