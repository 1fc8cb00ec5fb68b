package io.wirelab.codec.loops;

/** Whether the worker was told to stop; looked at once a pass. */
public final class StopSignal {
    private volatile boolean given;

    /** Tells whoever loops to stop. */
    public void give() {
        given = true;
    }

    /** Whether it was given. */
    public boolean given() {
        return given;
    }

    void check() {
        if (given) {
            throw new Stopped();
        }
    }

    /** A loop that was given up. */
    public static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("told to stop", null, false, false);
        }
    }
}
