package io.wirelab.sdk;

import java.util.List;

/** Closes what a library may never let go of. */
public final class Closing {
    private Closing() {}

    /** Closes on a thread that ends with the process: a library that hangs must not outlive it. */
    public static void within(long limitNs, AutoCloseable what) throws InterruptedException {
        BoundedCalls.within(limitNs, "closing", List.of(what::close));
    }
}
