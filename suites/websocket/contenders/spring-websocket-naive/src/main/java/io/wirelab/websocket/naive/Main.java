package io.wirelab.websocket.naive;

import io.wirelab.sdk.ServingPart;

/** The contender {@code spring-websocket-naive}: a whiteboard on Spring Boot, plain sessions. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ServingPart.main(SpringServer::new);
    }
}
