package io.wirelab.messaging.rmi;

import io.wirelab.messaging.Messaging;

/** The contender {@code rmi}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, RmiTransport::new, RmiServer::new, null);
    }
}
