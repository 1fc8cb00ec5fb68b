package io.wirelab.sdk;

/**
 * An operation of a microbenchmark, repeated over its inputs. Its subclasses are templates: see
 * {@link LoopTemplate}.
 */
public abstract class Loop {
    private final int size;
    private Audit audit;

    /** Audit of all inputs as the suite defines it; it leaves them as they were. */
    @FunctionalInterface
    public interface Audit {
        /** The checksum of one iteration of each input. */
        int checksum() throws Exception;
    }

    /** A loop over {@code size} inputs. */
    protected Loop(int size) {
        this.size = size;
    }

    /** Inputs; iteration i works on input i mod this. */
    public final int size() {
        return size;
    }

    /** Has {@code audit} follow each batch that counts; this loop. */
    public final Loop audited(Audit audit) {
        this.audit = audit;
        return this;
    }

    /** The audit; null where nothing comes of one. */
    final Audit audit() {
        return audit;
    }

    /** Works {@code iterations} times; the sum of the suite's checksums of them, modulo 2^32. */
    final int run(long iterations, Commands commands) throws Exception {
        int sum = 0;
        for (long left = iterations; left > 0; left -= size) {
            if (commands.stopped()) {
                throw new Stopped();
            }
            sum += pass((int) Math.min(left, size));
        }
        return sum;
    }

    /**
     * Works on the first {@code iterations} inputs. Short, and called again and again, so that it
     * is compiled as a whole like a user's method, and not in the middle of a loop that has been
     * running for seconds.
     */
    protected abstract int pass(int iterations) throws Exception;

    /** A loop that was given up. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stopped() {
            super("told to stop", null, false, false);
        }
    }
}
