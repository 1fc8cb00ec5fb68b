package io.wirelab.messaging.jms.amqp;

import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.artemis.ArtemisBroker;
import io.wirelab.messaging.jms.JmsTransport;
import io.wirelab.messaging.jms.artemis.ArtemisProvider;

/** A pair of unlike clients at one broker: JMS asks in Artemis's protocol, AMQP 1.0 answers. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Messaging.main(arguments,
                spec -> new JmsTransport(spec, new ArtemisProvider(spec)),
                spec -> new ArtemisBroker(spec, "CORE,AMQP"),
                AmqpResponder::new);
    }
}
