package io.wirelab.opcua.milo;

import io.wirelab.sdk.PacedClient;

/** The contender {@code milo}: the client of Eclipse Milo on the core's ticks. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        PacedClient.main(MiloClient::new);
    }
}
