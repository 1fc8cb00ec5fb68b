package io.wirelab.messaging.nats;

import io.wirelab.messaging.Messaging;

/** The contenders {@code nats} and {@code nats-request}; the server is a neutral program. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, NatsTransport::new, null, NatsResponder::new);
    }
}
