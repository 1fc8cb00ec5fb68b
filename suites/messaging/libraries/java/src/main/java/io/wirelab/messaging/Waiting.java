package io.wirelab.messaging;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for a library of an event loop: for a result, and for it to take more. Who does not wait fills
 * the heap with what its server has not taken.
 */
public final class Waiting {
    /** The result of {@code future} within {@code limitNs}, or the exception that it failed with. */
    public static <T> T result(Future<T> future, long limitNs) throws Exception {
        try {
            return future.get(limitNs, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception why ? why : failed;
        }
    }

    /**
     * What {@code source} gives, as soon as that is not null, of a library that can only be asked again.
     *
     * @param pause lets others have the processor before it is asked again
     * @throws TimeoutException if there is none within {@code limitNs}; it says {@code why}
     */
    public static <T> T polled(Supplier<T> source, Runnable pause, long limitNs, String why)
            throws TimeoutException {
        long deadlineNs = System.nanoTime() + limitNs;
        T found = source.get();
        while (found == null) {
            if (System.nanoTime() > deadlineNs) {
                throw new TimeoutException(why);
            }
            pause.run();
            found = source.get();
        }
        return found;
    }

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
