package io.wirelab.websocket.vertx;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.ServingPart;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Vert.x with a verticle for each event loop, all of them listening on one port. */
final class VertxServer implements Server {
    private static final String VERSION = "META-INF/vertx/vertx-version.txt";

    /** Port 0 would be a port for each verticle; those that name one number share a random one. */
    private static final int SHARED = 1;

    /** Time for which a client that does not answer the closing of its WebSocket is waited for. */
    private static final int CLOSING_TIMEOUT_S = 1;

    private static final long PATIENCE_S = 20;

    private final String host;
    private final Vertx vertx;
    private final int port;

    public static void main(String[] arguments) {
        ServingPart.main(VertxServer::new);
    }

    VertxServer(Spec spec) throws Exception {
        Fields tuning = spec.parameters();
        InetSocketAddress listen = spec.listenAddress();
        host = listen.getHostString();
        int loops = tuning.integerWithin("event_loops_per_processor", 1, 64)
                * Runtime.getRuntime().availableProcessors();
        int waiting = tuning.integerWithin("send_buffer_limit_bytes", 1, Integer.MAX_VALUE);
        HttpServerOptions options = new HttpServerOptions()
                .setAcceptBacklog(tuning.integerWithin("accept_backlog", 1, Integer.MAX_VALUE))
                .setTcpNoDelay(true)
                .setWebSocketClosingTimeout(CLOSING_TIMEOUT_S)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(
                        tuning.integerWithin("message_limit_bytes", 1, Integer.MAX_VALUE))
                .setMaxWebSocketMessageSize(
                        tuning.integerWithin("message_limit_bytes", 1, Integer.MAX_VALUE));

        vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(loops));
        if (!vertx.isNativeTransportEnabled()) {
            System.err.println("Vert.x runs on NIO: " + vertx.unavailableNativeTransportCause());
        }
        SocketAddress address = listen.getPort() == 0
                ? SocketAddress.sharedRandomPort(SHARED, host)
                : SocketAddress.inetSocketAddress(listen);
        CompletableFuture<Integer> bound = new CompletableFuture<>();
        await(vertx.deployVerticle(
                () -> new WhiteboardVerticle(options, address, waiting, bound),
                new DeploymentOptions().setInstances(loops)));
        port = bound.join();
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Vert.x", "version", version());
    }

    @Override
    public String endpoint() {
        return "ws://" + host + ":" + port + WhiteboardVerticle.PATH;
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("protocol", "json",
                "transport", vertx.isNativeTransportEnabled() ? "native" : "nio");
    }

    @Override
    public void close() throws Exception {
        await(vertx.close());
    }

    private static void await(Future<?> future) throws Exception {
        try {
            future.await(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException tooLong) {
            throw new IOException("Vert.x did not answer within " + PATIENCE_S + " s", tooLong);
        }
    }

    private static String version() {
        try (InputStream text = Vertx.class.getClassLoader().getResourceAsStream(VERSION)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
