package io.wirelab.messaging.socketnio;

import io.netty.channel.Channel;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps memory bounded without losing a message: while a member has as much waiting for it as it may, or
 * an event loop as many messages, nobody is read from who sends to everybody. From any thread.
 */
final class Pressure {
    private final Set<Channel> full = ConcurrentHashMap.newKeySet();
    private final Queue<Channel> paused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final int handedOverLimit;

    Pressure(int handedOverLimit) {
        this.handedOverLimit = handedOverLimit;
    }

    /** {@code member} can take more, can take no more, or is gone. */
    void changed(Channel member) {
        if (member.isActive() && !member.isWritable()) {
            full.add(member);
        } else {
            full.remove(member);
            resume();
        }
    }

    /** A message was given to another event loop. */
    void handedOver() {
        handedOver.incrementAndGet();
    }

    /** Notes that the other event loop has written it. */
    void handled() {
        handedOver.decrementAndGet();
        resume();
    }

    /** Called when {@code sender} has sent to everybody. */
    void pauseIfNeeded(Channel sender) {
        if (exists()) {
            sender.config().setAutoRead(false);
            paused.add(sender);
            // What was in the way may have gone before the sender was in the queue.
            resume();
        }
    }

    private boolean exists() {
        return !full.isEmpty() || handedOver.get() > handedOverLimit;
    }

    private void resume() {
        while (!paused.isEmpty() && !exists()) {
            Channel sender = paused.poll();
            if (sender != null) {
                sender.config().setAutoRead(true);
            }
        }
    }
}
