package io.wirelab.messaging;

/** A thread of its own that does the same again and again, as a library that is polled asks for. */
public final class Rounds implements AutoCloseable {
    private static final long PATIENCE_MS = 1000;

    private final Thread thread;
    private volatile boolean closing;

    /**
     * Does {@code round} from now on, which may wait for a while if there is nothing to do. One that
     * fails ends the thread, and when closed already without a word.
     */
    public Rounds(String name, Runnable round) {
        thread = Background.start(name, () -> {
            try {
                while (!closing) {
                    round.run();
                }
            } catch (RuntimeException failed) {
                if (!closing) {
                    throw failed;
                }
            }
        });
    }

    /** Ends with the round under way; one that does not end is not waited for. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(PATIENCE_MS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
