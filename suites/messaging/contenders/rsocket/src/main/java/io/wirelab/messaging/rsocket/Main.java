package io.wirelab.messaging.rsocket;

import io.wirelab.messaging.Messaging;

/** The contender {@code rsocket}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, RsocketTransport::new, RsocketServer::new, null);
    }
}
