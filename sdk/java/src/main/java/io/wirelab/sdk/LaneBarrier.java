package io.wirelab.sdk;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A barrier of lanes that opens when all of them wait at it, or have left. */
final class LaneBarrier {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opens = lock.newCondition();
    private final Runnable opening;
    private int lanes;
    private int waiting;
    private long opened;

    /** A barrier whose last lane runs {@code opening} while the others wait for it. */
    LaneBarrier(int lanes, Runnable opening) {
        this.lanes = lanes;
        this.opening = opening;
    }

    /** Returns when all lanes have come, or have left. */
    void await() {
        lock.lock();
        try {
            long before = opened;
            waiting++;
            openIfComplete();
            while (opened == before) {
                opens.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a lane away, so that nobody waits for it. */
    void leave() {
        lock.lock();
        try {
            lanes--;
            openIfComplete();
        } finally {
            lock.unlock();
        }
    }

    private void openIfComplete() {
        if (waiting > 0 && waiting >= lanes) {
            opening.run();
            waiting = 0;
            opened++;
            opens.signalAll();
        }
    }
}
