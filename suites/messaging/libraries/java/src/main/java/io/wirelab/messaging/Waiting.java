package io.wirelab.messaging;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Waits for a library of an event loop to take more: who does not wait fills the heap with what its
 * server has not taken.
 */
public final class Waiting {
    /** Has those who wait look again; called whenever what they wait for may have come. */
    public synchronized void wake() {
        notifyAll();
    }

    /** Returns as soon as {@code condition} holds; after {@code limitNs} fails and says {@code why}. */
    public synchronized void until(BooleanSupplier condition, long limitNs, String why)
            throws TimeoutException, InterruptedException {
        long deadlineNs = System.nanoTime() + limitNs;
        while (!condition.getAsBoolean()) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                throw new TimeoutException(why);
            }
            wait(leftMs);
        }
    }
}
