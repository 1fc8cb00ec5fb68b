package io.wirelab.websocket.vertx;

import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.http.ServerWebSocket;
import java.util.LinkedHashSet;
import java.util.Set;

/** A board as one event loop sees it: those of its members who are connected there. */
final class Board {
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

    /** Where draws on the board called {@code name} are published. */
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
