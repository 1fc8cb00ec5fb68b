package io.wirelab.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * A thread a lane. It belongs to the thread that made it, which is the one that commands wake. A
 * lane leaves when its thread ends, or when it is left behind: then it ends with the process.
 */
final class LaneThreads {
    private final Thread owner = Thread.currentThread();
    private final Commands commands;
    private final long graceNs;
    private final IntConsumer leaving;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger living;
    private final AtomicIntegerArray left;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * Starts {@code lanes} threads.
     *
     * @param life what each lives, with its number
     * @param leaving hears once of every lane that leaves
     */
    LaneThreads(Worker worker, int lanes, IntConsumer life, IntConsumer leaving) {
        commands = worker.commands();
        graceNs = worker.spec().limits().stopNs() / 4;
        this.leaving = leaving;
        living = new AtomicInteger(lanes);
        left = new AtomicIntegerArray(lanes);
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
            leave(lane);
        } catch (Throwable why) {
            failure.compareAndSet(null, why);
            LockSupport.unpark(owner);
        }
    }

    /** Leaves a lane behind, if it has not left by itself. */
    void leave(int lane) {
        if (left.compareAndSet(lane, 0, 1)) {
            leaving.accept(lane);
            living.decrementAndGet();
            LockSupport.unpark(owner);
        }
    }

    /**
     * Waits until all lanes have left, at most until {@code deadlineNs}, which lanes may move; after
     * a stop they get a share of its limit. Returns whether all have left.
     */
    boolean await(LongSupplier deadlineNs) {
        boolean told = false;
        long graceEndsNs = 0;
        while (living.get() > 0 && failure.get() == null) {
            if (commands.stopped() && !told) {
                told = true;
                graceEndsNs = System.nanoTime() + graceNs;
                threads.forEach(LockSupport::unpark);
            }
            long leftNs = deadlineNs.getAsLong() - System.nanoTime();
            if (told) {
                leftNs = Math.min(leftNs, graceEndsNs - System.nanoTime());
            }
            if (leftNs <= 0) {
                break;
            }
            LockSupport.parkNanos(this, leftNs);
        }
        if (failure.get() != null) {
            throw new IllegalStateException("a lane has failed", failure.get());
        }
        return living.get() == 0;
    }
}
