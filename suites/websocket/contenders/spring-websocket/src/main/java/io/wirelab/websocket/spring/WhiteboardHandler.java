package io.wirelab.websocket.spring;

import io.wirelab.sdk.Fields;
import io.wirelab.websocket.boot.WhiteboardMessage;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whiteboard. Several of the container's threads send to one session at the same time, which a plain
 * session refuses: the decorator lets one of them send and the others leave their messages to it.
 */
@Component
class WhiteboardHandler extends TextWebSocketHandler {
    private static final Logger LOG = LoggerFactory.getLogger(WhiteboardHandler.class);
    private static final String BOARD = "board";
    private static final String MEMBER = "member";

    /** Tomcat's limit of a blocking send, 20 s unless the session says otherwise. */
    private static final String TOMCAT_SEND_TIMEOUT =
            "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

    /** Read at every draw and written at every join, hence copied on write. */
    private final Map<String, Set<WebSocketSession>> boards = new ConcurrentHashMap<>();

    private final JsonMapper json;
    private final int sendTimeMs;
    private final int sendBufferBytes;

    WhiteboardHandler(JsonMapper json, Fields tuning) {
        this.json = json;
        sendTimeMs = tuning.integerWithin("send_time_limit_ms", 1, Integer.MAX_VALUE);
        sendBufferBytes = tuning.integerWithin("send_buffer_limit_bytes", 1, Integer.MAX_VALUE);
    }

    @Override
    public void afterConnectionEstablished(WebSocketSession session) {
        Session own = ((NativeWebSocketSession) session).getNativeSession(Session.class);
        // Jetty's sessions are no such ones, and its sends have the limit of its connections.
        if (own != null) {
            own.getUserProperties().put(TOMCAT_SEND_TIMEOUT, (long) sendTimeMs);
        }
        session.getAttributes().put(MEMBER, new ConcurrentWebSocketSessionDecorator(
                session, sendTimeMs, sendBufferBytes));
    }

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage text) {
        WhiteboardMessage message = WhiteboardMessage.in(json, text.getPayload());
        switch (message.type()) {
            case "join" -> join(session, message);
            case "draw" -> boards.getOrDefault(message.board(), Set.of())
                    .forEach(member -> send(member, text));
            default -> { }
        }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
        leave(session);
    }

    private void join(WebSocketSession session, WhiteboardMessage join) {
        leave(session);
        WebSocketSession member = (WebSocketSession) session.getAttributes().get(MEMBER);
        session.getAttributes().put(BOARD, join.board());
        boards.compute(join.board(), (name, present) -> {
            Set<WebSocketSession> joined = present == null ? new CopyOnWriteArraySet<>() : present;
            joined.add(member);
            return joined;
        });
        send(member, new TextMessage(join.joined(json)));
    }

    private void leave(WebSocketSession session) {
        String board = (String) session.getAttributes().remove(BOARD);
        if (board != null) {
            boards.computeIfPresent(board, (name, present) -> {
                present.remove(session.getAttributes().get(MEMBER));
                return present.isEmpty() ? null : present;
            });
        }
    }

    /** The one member that cannot be sent to loses its connection; nobody else notices. */
    private void send(WebSocketSession member, TextMessage text) {
        try {
            member.sendMessage(text);
        } catch (IOException | RuntimeException failed) {
            LOG.debug("cannot send to {}", member.getId(), failed);
            close(member);
        }
    }

    private static void close(WebSocketSession member) {
        try {
            member.close(CloseStatus.SESSION_NOT_RELIABLE);
        } catch (IOException | RuntimeException gone) {
            LOG.debug("cannot close {}", member.getId(), gone);
        }
    }
}
