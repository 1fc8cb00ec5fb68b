package io.wirelab.websocket.netty;

import io.wirelab.sdk.ServingPart;

/** The contender {@code netty}: a whiteboard on Netty's own WebSocket handlers. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ServingPart.main(NettyServer::new);
    }
}
