package io.wirelab.messaging;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Turns at what a library has for one thread at a time, with a full fence between two of them. A link is
 * left by another thread than the one that calls, whose call then ends early.
 */
public final class Turns {
    private final ReentrantLock lock = new ReentrantLock();

    /** Work of a turn, which may fail as the library says it. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }

    /** Does {@code work} when nobody else is at it. */
    public void take(Work work) throws Exception {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the last turn, {@code closing}; a call under way is ended by {@code ending} before. */
    public void last(Runnable ending, Runnable closing) {
        if (!lock.tryLock()) {
            ending.run();
            lock.lock();
        }
        try {
            closing.run();
        } finally {
            lock.unlock();
        }
    }
}
