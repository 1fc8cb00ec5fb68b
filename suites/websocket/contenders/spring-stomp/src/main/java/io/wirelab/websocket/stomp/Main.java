package io.wirelab.websocket.stomp;

import io.wirelab.sdk.ServingPart;

/** The contender {@code spring-stomp}: a whiteboard on STOMP and Spring's simple broker. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ServingPart.main(SpringServer::new);
    }
}
