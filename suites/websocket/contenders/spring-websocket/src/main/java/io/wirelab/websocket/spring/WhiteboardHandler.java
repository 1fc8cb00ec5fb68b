package io.wirelab.websocket.spring;

import jakarta.websocket.Session;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whiteboard. Several of Tomcat's threads send to one session at the same time, which a plain
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

    private final Boards boards;
    private final JsonMapper json;
    private final WhiteboardProperties limits;

    WhiteboardHandler(Boards boards, JsonMapper json, WhiteboardProperties limits) {
        this.boards = boards;
        this.json = json;
        this.limits = limits;
    }

    @Override
    public void afterConnectionEstablished(WebSocketSession session) {
        long sendTimeMs = limits.sendTimeLimit().toMillis();
        ((NativeWebSocketSession) session).getNativeSession(Session.class)
                .getUserProperties().put(TOMCAT_SEND_TIMEOUT, sendTimeMs);
        session.getAttributes().put(MEMBER, new ConcurrentWebSocketSessionDecorator(
                session, (int) sendTimeMs, (int) limits.sendBufferLimit().toBytes()));
    }

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage text) {
        Message message = parsed(text);
        if (message == null || !message.complete()) {
            return;
        }
        switch (message.type()) {
            case "join" -> join(session, message);
            case "draw" -> boards.members(message.board()).forEach(member -> send(member, text));
            default -> LOG.debug("unknown type: {}", message.type());
        }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
        leave(session);
    }

    private void join(WebSocketSession session, Message join) {
        leave(session);
        WebSocketSession member = (WebSocketSession) session.getAttributes().get(MEMBER);
        session.getAttributes().put(BOARD, join.board());
        boards.join(join.board(), member);
        Message joined = new Message("joined", join.board(), join.user());
        send(member, new TextMessage(json.writeValueAsString(joined)));
    }

    private void leave(WebSocketSession session) {
        String board = (String) session.getAttributes().remove(BOARD);
        if (board != null) {
            boards.leave(board, (WebSocketSession) session.getAttributes().get(MEMBER));
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

    private Message parsed(TextMessage text) {
        try {
            return json.readValue(text.getPayload(), Message.class);
        } catch (JacksonException noMessage) {
            return null;
        }
    }
}
