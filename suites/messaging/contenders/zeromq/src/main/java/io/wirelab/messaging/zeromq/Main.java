package io.wirelab.messaging.zeromq;

import io.wirelab.messaging.Messaging;

/** The contender {@code zeromq}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, ZeroTransport::new, ZeroServer::new, null);
    }
}
