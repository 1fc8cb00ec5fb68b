package io.wirelab.messaging.socketnio;

import io.wirelab.messaging.Messaging;

/** The contender {@code socket-nio}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, NioTransport::new, NioServer::new, null);
    }
}
