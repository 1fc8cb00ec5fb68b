package io.wirelab.messaging;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One echo under way. The time of its end is taken on the thread that brings the answer. */
final class EchoCall implements Reply {
    private final Thread caller = Thread.currentThread();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private byte[] answer;
    private Throwable failure;
    private long endNs;
    private volatile boolean settled;

    @Override
    public void arrived(byte[] message) {
        settle(System.nanoTime(), message, null);
    }

    @Override
    public void failed(Throwable why) {
        settle(System.nanoTime(), null, why);
    }

    private void settle(long nowNs, byte[] message, Throwable why) {
        if (claimed.compareAndSet(false, true)) {
            answer = message;
            failure = why;
            endNs = nowNs;
            settled = true;
            if (Thread.currentThread() != caller) {
                LockSupport.unpark(caller);
            }
        }
    }

    /** Waits for the answer; what has not come by {@code deadlineNs}, or when stopped, has timed out. */
    void await(long deadlineNs, BooleanSupplier stopped) {
        while (!settled) {
            long left = deadlineNs - System.nanoTime();
            if (left <= 0 || stopped.getAsBoolean()) {
                failed(new TimeoutException("no answer in time"));
            } else {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    /** Throws what failed, if anything did. Only when awaited. */
    void throwFailure() throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (Exception) failure;
        }
    }

    /** The answer; null after a failure. Only when awaited. */
    byte[] answer() {
        return answer;
    }

    long endNs() {
        return endNs;
    }
}
