package io.wirelab.websocket.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of one event loop. Draws reach the members on every loop over the event bus;
 * here nothing is shared with another thread, so nothing is locked.
 */
final class WhiteboardVerticle extends VerticleBase {
    static final String PATH = "/board";

    private static final DeliveryOptions WITHIN_PROCESS = new DeliveryOptions().setLocalOnly(true);

    private final HttpServerOptions options;
    private final SocketAddress address;
    private final int sendBufferLimit;
    private final CompletableFuture<Integer> bound;
    private final Map<String, Board> boards = new HashMap<>();
    private final Map<ServerWebSocket, Board> boardOf = new HashMap<>();

    /** Serves at {@code address}; {@code bound} gets the port. */
    WhiteboardVerticle(HttpServerOptions options, SocketAddress address, int sendBufferLimit,
            CompletableFuture<Integer> bound) {
        this.options = options;
        this.address = address;
        this.sendBufferLimit = sendBufferLimit;
        this.bound = bound;
    }

    @Override
    public Future<?> start() {
        return vertx.createHttpServer(options)
                .webSocketHandshakeHandler(WhiteboardVerticle::admit)
                .webSocketHandler(this::serve)
                .listen(address)
                .onSuccess(server -> bound.complete(server.actualPort()));
    }

    private static void admit(ServerWebSocketHandshake handshake) {
        if (handshake.path().equals(PATH)) {
            handshake.accept();
        } else {
            handshake.reject(404);
        }
    }

    private void serve(ServerWebSocket socket) {
        socket.setWriteQueueMaxSize(sendBufferLimit);
        socket.textMessageHandler(text -> obey(socket, text));
        socket.closeHandler(closed -> leave(socket));
        // Broken frames and broken connections end this one connection.
        socket.exceptionHandler(broken -> socket.close());
    }

    private void obey(ServerWebSocket socket, String text) {
        JsonObject message = parsed(text);
        if (message == null || !(message.getValue("type") instanceof String type)
                || !(message.getValue("board") instanceof String board)
                || !(message.getValue("user") instanceof Number user)) {
            return;
        }
        switch (type) {
            case "join" -> join(socket, board, user);
            case "draw" -> vertx.eventBus().publish(Board.address(board), text, WITHIN_PROCESS);
            default -> { }
        }
    }

    private void join(ServerWebSocket socket, String name, Number user) {
        leave(socket);
        Board board = boards.computeIfAbsent(name, fresh -> new Board(vertx.eventBus(), name));
        boardOf.put(socket, board);
        board.join(socket, new JsonObject()
                .put("type", "joined").put("board", name).put("user", user).encode());
    }

    private void leave(ServerWebSocket socket) {
        Board board = boardOf.remove(socket);
        if (board != null && board.leave(socket)) {
            boards.remove(board.name());
        }
    }

    private static JsonObject parsed(String text) {
        try {
            return new JsonObject(text);
        } catch (DecodeException | ClassCastException notAnObject) {
            return null;
        }
    }

    /** A board as one event loop sees it: those of its members who are connected there. */
    private static final class Board {
        private final String name;
        private final Set<ServerWebSocket> members = new LinkedHashSet<>();
        private final MessageConsumer<String> draws;

        /** Listens on {@code bus} to what is drawn on {@code name}, on the event loop it is made on. */
        Board(EventBus bus, String name) {
            this.name = name;
            // By default a consumer behind by a thousand messages discards what comes then.
            MessageConsumerOptions options = new MessageConsumerOptions()
                    .setAddress(address(name))
                    .setLocalOnly(true)
                    .setMaxBufferedMessages(Integer.MAX_VALUE);
            draws = bus.<String>consumer(options).handler(this::send);
        }

        /** Address at which draws on the board called {@code name} are published. */
        static String address(String name) {
            return "board." + name;
        }

        String name() {
            return name;
        }

        /** Tells {@code member} that it joined, as soon as the bus delivers to this loop. */
        void join(ServerWebSocket member, String joined) {
            members.add(member);
            draws.completion().onSuccess(registered -> member.writeTextMessage(joined));
        }

        /** True when nobody is left: then the board no longer listens. */
        boolean leave(ServerWebSocket member) {
            members.remove(member);
            if (members.isEmpty()) {
                draws.unregister();
            }
            return members.isEmpty();
        }

        /**
         * To every member. Whoever has not taken what waits for it up to the limit is closed rather
         * than left without a stroke; it leaves in a later event, so nobody leaves while this goes
         * round.
         */
        private void send(Message<String> draw) {
            for (ServerWebSocket member : members) {
                if (member.isClosed()) {
                    continue;
                }
                if (member.writeQueueFull()) {
                    member.close();
                } else {
                    member.writeTextMessage(draw.body());
                }
            }
        }
    }
}
