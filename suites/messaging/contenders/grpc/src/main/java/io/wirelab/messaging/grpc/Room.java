package io.wirelab.messaging.grpc;

import io.wirelab.messaging.grpc.protocol.Frame;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Everybody who is connected. While a member is not ready for more, the next message of those who
 * broadcast is not asked for: nothing is lost and memory stays bounded. From any thread.
 */
final class Room {
    private final Set<Member> members = ConcurrentHashMap.newKeySet();
    private final Set<Member> full = ConcurrentHashMap.newKeySet();
    private final Queue<Member> paused = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Boolean> resuming = ThreadLocal.withInitial(() -> false);

    void join(Member member) {
        members.add(member);
    }

    void leave(Member member) {
        members.remove(member);
        full.remove(member);
        resume();
    }

    /** {@code member} can take more. */
    void ready(Member member) {
        full.remove(member);
        resume();
    }

    /** Sends to everybody, and asks {@code sender} for its next message as soon as all are ready. */
    void broadcast(Frame frame, Member sender) {
        for (Member each : members) {
            if (!each.send(frame)) {
                full.add(each);
                // It may have become ready, or have left, before it was in the set.
                if (each.isReady() || !members.contains(each)) {
                    full.remove(each);
                }
            }
        }
        paused.add(sender);
        resume();
    }

    /** Asking for a message may bring it at once, and so come here again: the outer call goes on. */
    private void resume() {
        if (resuming.get()) {
            return;
        }
        resuming.set(true);
        try {
            while (!paused.isEmpty() && full.isEmpty()) {
                Member sender = paused.poll();
                if (sender != null) {
                    sender.requestNext();
                }
            }
        } finally {
            resuming.set(false);
        }
    }
}
