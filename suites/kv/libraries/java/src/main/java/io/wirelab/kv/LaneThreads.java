package io.wirelab.kv;

import io.wirelab.sdk.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** A thread a lane. Belongs to the thread that made it, which is the one that commands wake. */
final class LaneThreads {
    private final Thread owner = Thread.currentThread();
    private final Commands commands;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger living;

    /** Starts {@code lanes} threads, each of which lives {@code life} with its number. */
    LaneThreads(Commands commands, int lanes, IntConsumer life) {
        this.commands = commands;
        living = new AtomicInteger(lanes);
        for (int number = 0; number < lanes; number++) {
            int lane = number;
            Thread thread = new Thread(() -> live(life, lane), "lane-" + lane);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void live(IntConsumer life, int lane) {
        try {
            life.accept(lane);
        } finally {
            living.decrementAndGet();
            LockSupport.unpark(owner);
        }
    }

    /**
     * Waits until all lanes have ended, at most until {@code deadlineNs}; after a stop they get
     * {@code graceNs} more. Returns whether all have ended.
     */
    boolean await(long deadlineNs, long graceNs) {
        long untilNs = deadlineNs;
        boolean told = false;
        while (living.get() > 0 && untilNs - System.nanoTime() > 0) {
            if (commands.stopped() && !told) {
                told = true;
                untilNs = Math.min(untilNs, System.nanoTime() + graceNs);
                threads.forEach(LockSupport::unpark);
            }
            LockSupport.parkNanos(this, untilNs - System.nanoTime());
        }
        return living.get() == 0;
    }
}
