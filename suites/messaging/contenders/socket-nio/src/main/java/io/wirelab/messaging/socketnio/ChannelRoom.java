package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Everybody who is connected, kept by each event loop for its own channels: nothing is locked, and a
 * message crosses threads once a loop instead of once a member.
 */
final class ChannelRoom {
    private final Map<EventExecutor, Set<Channel>> byLoop = new HashMap<>();
    private final Pressure pressure;

    ChannelRoom(EventLoopGroup loops, Pressure pressure) {
        loops.forEach(loop -> byLoop.put(loop, new HashSet<>()));
        this.pressure = pressure;
    }

    /** To be called on the event loop of {@code member}. */
    void join(Channel member) {
        byLoop.get(member.eventLoop()).add(member);
    }

    /** To be called on the event loop of {@code member}. */
    void leave(Channel member) {
        byLoop.get(member.eventLoop()).remove(member);
        pressure.changed(member);
    }

    /**
     * Sends a frame to everybody; its bytes are shared, never copied. What one sender sends arrives in
     * its order. To be called on the event loop of {@code sender}.
     *
     * @param frame stays the caller's to release
     */
    void broadcast(ByteBuf frame, Channel sender) {
        byLoop.forEach((loop, members) -> {
            if (loop == sender.eventLoop()) {
                send(frame, members);
            } else {
                ByteBuf handedOver = frame.retain();
                pressure.handedOver();
                loop.execute(() -> {
                    send(handedOver, members);
                    handedOver.release();
                    pressure.handled();
                });
            }
        });
        pressure.pauseIfNeeded(sender);
    }

    /** A channel that closes meanwhile leaves in a later task of its loop. */
    private static void send(ByteBuf frame, Set<Channel> members) {
        for (Channel member : members) {
            member.writeAndFlush(frame.retainedDuplicate(), member.voidPromise());
        }
    }
}
