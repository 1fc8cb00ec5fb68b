package io.wirelab.messaging;

/** Threads that work beside a worker's own, and keep no process alive. */
public final class Background {
    private Background() {}

    /** Starts a thread that does {@code work}. */
    public static Thread start(String name, Runnable work) {
        return start(name, 0, work);
    }

    /** Starts one whose stack has {@code stackBytes}, where there are hundreds of them. */
    public static Thread start(String name, long stackBytes, Runnable work) {
        Thread thread = new Thread(null, work, name, stackBytes);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
