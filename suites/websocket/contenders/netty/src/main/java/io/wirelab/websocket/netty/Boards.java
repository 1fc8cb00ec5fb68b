package io.wirelab.websocket.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Members of each board, kept by each event loop for its own channels: no member is ever looked at
 * from another thread, so nothing is locked, and a draw crosses threads once a loop instead of once
 * a member.
 */
final class Boards {
    private final Map<EventExecutor, Map<String, Set<Channel>>> byLoop = new HashMap<>();

    Boards(EventLoopGroup loops) {
        loops.forEach(loop -> byLoop.put(loop, new HashMap<>()));
    }

    /** To be called on the event loop of {@code member}. */
    void join(String board, Channel member) {
        ofLoop(member.eventLoop()).computeIfAbsent(board, name -> new LinkedHashSet<>())
                .add(member);
    }

    /** To be called on the event loop of {@code member}. */
    void leave(String board, Channel member) {
        ofLoop(member.eventLoop()).computeIfPresent(board, (name, members) -> {
            members.remove(member);
            return members.isEmpty() ? null : members;
        });
    }

    /**
     * Sends the bytes of a frame to everybody on {@code board}; they are shared, never copied.
     * Draws handed over from one loop arrive at another in their order.
     *
     * @param frame stays the caller's to release
     * @param from the event loop that this is called on
     */
    void broadcast(String board, ByteBuf frame, EventLoop from) {
        for (EventExecutor loop : byLoop.keySet()) {
            if (loop == from) {
                sendToMembers(ofLoop(loop).get(board), frame);
            } else {
                ByteBuf handedOver = frame.retain();
                loop.execute(() -> {
                    sendToMembers(ofLoop(loop).get(board), handedOver);
                    handedOver.release();
                });
            }
        }
    }

    /**
     * Sends a frame to members. Whoever has not taken what waits for it up to the limit is closed
     * rather than left without a stroke. A channel that closes leaves its board in a later task of
     * its loop, so nobody leaves while this goes round.
     */
    private static void sendToMembers(Set<Channel> members, ByteBuf frame) {
        if (members == null) {
            return;
        }
        for (Channel member : members) {
            if (member.isWritable()) {
                member.writeAndFlush(frame.retainedDuplicate(), member.voidPromise());
            } else {
                member.close();
            }
        }
    }

    private Map<String, Set<Channel>> ofLoop(EventExecutor loop) {
        return byLoop.get(loop);
    }
}
