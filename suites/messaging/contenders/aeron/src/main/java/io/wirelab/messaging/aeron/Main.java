package io.wirelab.messaging.aeron;

import io.wirelab.messaging.Messaging;

/** The contender {@code aeron}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, AeronTransport::new, AeronServer::new, null);
    }
}
