package io.wirelab.websocket.vertx;

import io.wirelab.sdk.ServingPart;

/** The contender {@code vertx}: a whiteboard on Vert.x server WebSockets and its event bus. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ServingPart.main(VertxServer::new);
    }
}
