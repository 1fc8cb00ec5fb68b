package io.wirelab.messaging;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Everybody who is connected to a server of ours whose library says when more can be sent. While a
 * member is not ready for more, the next message of those who broadcast is not asked for: nothing is
 * lost and memory stays bounded. From any thread.
 *
 * @param <M> what the server has for each user
 */
public final class Room<M extends Room.Member> {

    /** One user at the server. */
    public interface Member {
        /** Tells whether more can be sent to it without waiting in memory. */
        boolean isReady();

        /** Asks for the next message of this user. */
        void requestNext();
    }

    private final Set<M> members = ConcurrentHashMap.newKeySet();
    private final Set<M> full = ConcurrentHashMap.newKeySet();
    private final Queue<M> paused = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Boolean> resuming = ThreadLocal.withInitial(() -> false);

    /** From here on {@code member} gets what is broadcast. */
    public void join(M member) {
        members.add(member);
    }

    /** Nobody waits for {@code member} any more. */
    public void leave(M member) {
        members.remove(member);
        full.remove(member);
        resume();
    }

    /** {@code member} can take more. */
    public void ready(M member) {
        full.remove(member);
        resume();
    }

    /** Sends to everybody, and asks {@code sender} for its next message as soon as all are ready. */
    public void broadcast(Consumer<M> sending, M sender) {
        for (M each : members) {
            sending.accept(each);
            if (!each.isReady()) {
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
                M sender = paused.poll();
                if (sender != null) {
                    sender.requestNext();
                }
            }
        } finally {
            resuming.set(false);
        }
    }
}
