package io.wirelab.messaging.jms.artemis;

import io.wirelab.messaging.artemis.ArtemisBroker;
import io.wirelab.messaging.jms.Jms;

/** JMS by the client of Artemis, to its broker. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Jms.main(arguments, ArtemisProvider::new, spec -> new ArtemisBroker(spec, "CORE"));
    }
}
