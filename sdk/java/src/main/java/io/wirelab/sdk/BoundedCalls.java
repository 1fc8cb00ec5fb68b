package io.wirelab.sdk;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Calls of a library that may never return, on threads that end with the process: who hangs there
 * must not outlive it.
 */
final class BoundedCalls {
    private BoundedCalls() {}

    /** A call of a library. */
    @FunctionalInterface
    interface Task {
        /** Calls the library, which may throw whatever it has. */
        void run() throws Exception;
    }

    /**
     * Makes calls side by side, each on a thread of its own, within one limit for all.
     *
     * @param doing what they are for, as standard error is told where one fails or does not return
     */
    static void within(long limitNs, String doing, List<Task> calls) throws InterruptedException {
        List<Thread> threads = calls.stream().map(call -> begun(doing, call)).toList();
        long endNs = System.nanoTime() + limitNs;
        for (Thread one : threads) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0) {
                break;
            }
            one.join(leftMs);
        }
        if (threads.stream().anyMatch(Thread::isAlive)) {
            System.err.println(doing + " was given up: the library has not returned");
        }
    }

    private static Thread begun(String doing, Task call) {
        Thread thread = new Thread(() -> {
            try {
                call.run();
            } catch (Exception failed) {
                System.err.println(doing + " failed: " + failed);
            }
        }, "wirelab-" + doing.replace(' ', '-'));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
