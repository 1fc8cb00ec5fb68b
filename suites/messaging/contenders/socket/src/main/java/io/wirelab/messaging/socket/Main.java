package io.wirelab.messaging.socket;

import io.wirelab.messaging.Messaging;

/** The contender {@code socket}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, SocketTransport::new, SocketServer::new, null);
    }
}
