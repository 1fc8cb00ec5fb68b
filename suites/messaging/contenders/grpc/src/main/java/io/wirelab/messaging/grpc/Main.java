package io.wirelab.messaging.grpc;

import io.wirelab.messaging.Messaging;

/** The contender {@code grpc}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, GrpcTransport::new, GrpcServer::new, null);
    }
}
