package io.wirelab.codec.loops;

/**
 * An operation repeated over the instances of a pool. Its subclasses are templates: see
 * {@link Loops}.
 */
public abstract class Loop {
    private final int size;

    /** A loop over {@code size} instances. */
    protected Loop(int size) {
        this.size = size;
    }

    /** Instances; round r works on instance r mod this. */
    public final int size() {
        return size;
    }

    /** Works {@code rounds} times; the sum of the folds of all rounds, modulo 2^32. */
    public final int run(long rounds, StopSignal stop) throws Exception {
        int sum = 0;
        for (long left = rounds; left > 0; left -= size) {
            stop.check();
            sum += pass((int) Math.min(left, size));
        }
        return sum;
    }

    /**
     * Works on the first {@code rounds} instances of the pool. Short, and called again and again,
     * so that it is compiled as a whole like a user's method, and not in the middle of a loop that
     * has been running for seconds.
     */
    protected abstract int pass(int rounds) throws Exception;
}
