package io.wirelab.sdk;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Closes what a library may never let go of. */
public final class Closing {
    private Closing() {}

    /** Closes on a thread that ends with the process: a library that hangs must not outlive it. */
    public static void within(long limitNs, AutoCloseable what) throws InterruptedException {
        allWithin(limitNs, List.of(what));
    }

    /** Closes several side by side, each on a thread of its own, within one limit for all. */
    static void allWithin(long limitNs, List<AutoCloseable> several) throws InterruptedException {
        List<Thread> closing = several.stream().map(Closing::begun).toList();
        long endNs = System.nanoTime() + limitNs;
        for (Thread one : closing) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0) {
                break;
            }
            one.join(leftMs);
        }
        if (closing.stream().anyMatch(Thread::isAlive)) {
            System.err.println("closing was given up: the library is still at it");
        }
    }

    private static Thread begun(AutoCloseable what) {
        Thread closing = new Thread(() -> {
            try {
                what.close();
            } catch (Exception failed) {
                System.err.println("closing failed: " + failed);
            }
        }, "wirelab-closing");
        closing.setDaemon(true);
        closing.start();
        return closing;
    }
}
