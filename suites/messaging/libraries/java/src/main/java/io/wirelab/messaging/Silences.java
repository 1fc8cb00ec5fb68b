package io.wirelab.messaging;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Times at which nothing came to anybody and nobody was handing anything over; they tell messages that
 * were held back in order to leave together from those that left as they were sent.
 *
 * <p>A client that has nothing to do for 1 ms gets what comes at once. If several messages come to
 * one user at the end of such a silence, and one of them had been handed over 1 ms before another,
 * then it had waited for that one. What comes while others come, or while messages are handed over,
 * may have waited for the client, and tells nothing. From any thread.
 */
final class Silences {
    private static final long LONG_NS = 1_000_000;

    private final AtomicLong activeNs = new AtomicLong();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile long endedNs;

    /** Begins to hand messages over. */
    void handsOver() {
        underWay.incrementAndGet();
    }

    /** Has handed them over, or failed to. */
    void handedOver(long nowNs) {
        activeNs.accumulateAndGet(nowNs, Math::max);
        underWay.decrementAndGet();
    }

    /** The end of the last silence, which a message that comes now may be. */
    long endedBy(long nowNs) {
        long beforeNs = activeNs.getAndAccumulate(nowNs, Math::max);
        if (underWay.get() == 0 && nowNs - beforeNs >= LONG_NS) {
            endedNs = nowNs;
        }
        return endedNs;
    }

    /** Messages that came to one user at the end of a silence. Of one thread at a time. */
    static final class Together {
        private final Deque<Long> sentNs = new ArrayDeque<>();
        private long endedNs;
        private long firstNs;

        /** Number of messages that had waited for this one. */
        int heldFor(long silenceNs, long messageNs, long nowNs) {
            if (silenceNs != endedNs) {
                endedNs = silenceNs;
                firstNs = nowNs;
                sentNs.clear();
            }
            if (nowNs - firstNs > LONG_NS || messageNs > endedNs) {
                return 0;
            }
            int held = 0;
            while (!sentNs.isEmpty() && sentNs.peekFirst() + LONG_NS <= messageNs) {
                sentNs.removeFirst();
                held++;
            }
            if (messageNs + LONG_NS <= endedNs) {
                sentNs.addLast(messageNs);
            }
            return held;
        }
    }
}
