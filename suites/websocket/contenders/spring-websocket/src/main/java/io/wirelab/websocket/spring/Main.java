package io.wirelab.websocket.spring;

import io.wirelab.sdk.ServingPart;

/** The contender {@code spring-websocket}: a whiteboard on Spring Boot with decorated sessions. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ServingPart.main(SpringServer::new);
    }
}
