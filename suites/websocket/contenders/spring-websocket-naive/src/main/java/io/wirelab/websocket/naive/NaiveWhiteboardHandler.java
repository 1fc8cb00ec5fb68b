package io.wirelab.websocket.naive;

import io.wirelab.websocket.boot.FailedSends;
import io.wirelab.websocket.boot.WhiteboardMessage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whiteboard as tutorials have it: a set of sessions a board, and a loop that sends to each.
 *
 * <p>It is wrong under load, which is what it is here to show: draws of one board come on several
 * of Tomcat's threads, and a session that one of them is sending to refuses the others with an
 * {@link IllegalStateException}. It is caught and logged, and the message is lost.
 */
@Component
class NaiveWhiteboardHandler extends TextWebSocketHandler {
    private final Map<String, Set<WebSocketSession>> boards = new ConcurrentHashMap<>();
    private final Map<String, String> boardOfSession = new ConcurrentHashMap<>();
    private final FailedSends failedSends = new FailedSends();
    private final JsonMapper json;

    NaiveWhiteboardHandler(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage text) {
        WhiteboardMessage message = WhiteboardMessage.in(json, text.getPayload());
        if (message.type().equals("join")) {
            join(session, message);
        } else if (message.type().equals("draw")) {
            broadcast(message.board(), text);
        }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
        leave(session);
    }

    private void broadcast(String board, TextMessage text) {
        for (WebSocketSession member : boards.getOrDefault(board, Set.of())) {
            if (member.isOpen()) {
                send(member, text);
            }
        }
    }

    private void send(WebSocketSession member, TextMessage text) {
        try {
            member.sendMessage(text);
        } catch (Exception failed) {
            failedSends.log(failed);
        }
    }

    private void join(WebSocketSession session, WhiteboardMessage join) {
        leave(session);
        boardOfSession.put(session.getId(), join.board());
        boards.computeIfAbsent(join.board(), name -> ConcurrentHashMap.newKeySet()).add(session);
        send(session, new TextMessage(join.joined(json)));
    }

    private void leave(WebSocketSession session) {
        String board = boardOfSession.remove(session.getId());
        if (board != null) {
            boards.get(board).remove(session);
        }
    }
}
