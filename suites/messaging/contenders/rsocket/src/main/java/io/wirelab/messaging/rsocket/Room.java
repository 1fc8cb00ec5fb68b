package io.wirelab.messaging.rsocket;

import io.netty.buffer.ByteBuf;
import io.rsocket.Payload;
import io.rsocket.util.ByteBufPayload;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Everybody who is connected. While a member has not asked for more, those who broadcast are not asked
 * for more either: nothing is lost and memory stays bounded. From any thread.
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

    /** {@code member} has asked for more. */
    void ready(Member member) {
        full.remove(member);
        resume();
    }

    /** Sends to everybody, and asks {@code sender} for another message as soon as all want more. */
    void broadcast(Payload payload, Member sender) {
        ByteBuf message = payload.sliceData();
        for (Member each : members) {
            each.send(ByteBufPayload.create(message.retainedDuplicate()));
            if (!each.wantsMore()) {
                full.add(each);
                // It may have asked, or have left, before it was in the set.
                if (each.wantsMore() || !members.contains(each)) {
                    full.remove(each);
                }
            }
        }
        payload.release();
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
