package io.wirelab.sdk;

import java.util.concurrent.TimeUnit;

/** Closes what a library may never let go of. */
public final class Closing {
    private Closing() {}

    /** Closes on a thread that ends with the process: a library that hangs must not outlive it. */
    public static void within(long limitNs, AutoCloseable what) throws InterruptedException {
        Thread closing = new Thread(() -> {
            try {
                what.close();
            } catch (Exception failed) {
                System.err.println("closing failed: " + failed);
            }
        }, "wirelab-closing");
        closing.setDaemon(true);
        closing.start();
        closing.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(limitNs)));
        if (closing.isAlive()) {
            System.err.println("closing was given up: the library is still at it");
        }
    }
}
