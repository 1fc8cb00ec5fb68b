package io.wirelab.messaging.rabbitmq;

import io.wirelab.messaging.Messaging;

/** The contenders {@code rabbitmq} and {@code rabbitmq-confirmed}; the server is a neutral program. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, RabbitTransport::new, null, null);
    }
}
