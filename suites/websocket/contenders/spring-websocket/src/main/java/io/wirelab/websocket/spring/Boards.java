package io.wirelab.websocket.spring;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.WebSocketSession;

/** Who is on which board. Read at every draw and written at every join, hence copied on write. */
@Component
class Boards {
    private final Map<String, Set<WebSocketSession>> members = new ConcurrentHashMap<>();

    /** The members of {@code board}; safe to walk through while others come and go. */
    Set<WebSocketSession> members(String board) {
        return members.getOrDefault(board, Set.of());
    }

    void join(String board, WebSocketSession session) {
        members.compute(board, (name, present) -> {
            Set<WebSocketSession> joined = present == null ? new CopyOnWriteArraySet<>() : present;
            joined.add(session);
            return joined;
        });
    }

    void leave(String board, WebSocketSession session) {
        members.computeIfPresent(board, (name, present) -> {
            present.remove(session);
            return present.isEmpty() ? null : present;
        });
    }
}
