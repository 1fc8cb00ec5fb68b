package io.wirelab.sdk;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Step 0 of the contract's <i>Batch loops</i>: operations take turns until the compilers rest. In
 * the tens of milliseconds that a short profile warms up a JVM still interprets: what would be
 * measured then is how far its compilers came.
 */
final class Prewarming {
    private static final long QUIET_NS = 200_000_000;
    private static final int MOST_TIMES = 4;

    private final long leastNs;
    private final LongSupplier processorNs;
    private final LongSupplier compiled;

    /** A turn of an operation. */
    @FunctionalInterface
    interface Turn {
        /** Takes it; whether there may be another. */
        boolean take();
    }

    /**
     * Turns for at least {@code leastNs}, in which {@code compiled} grows while a compiler works.
     *
     * @param processorNs processor time of this process, of its compilers with it
     */
    Prewarming(long leastNs, LongSupplier processorNs, LongSupplier compiled) {
        this.leastNs = leastNs;
        this.processorNs = processorNs;
        this.compiled = compiled;
    }

    /** Lets each of {@code turns} be taken one after the other, again and again. */
    void run(List<Turn> turns) {
        List<Turn> left = new ArrayList<>(turns);
        long beganNs = processorNs.getAsLong();
        long quietSinceNs = beganNs;
        long nowNs = beganNs;
        long seen = compiled.getAsLong();
        while (!left.isEmpty() && !isOver(nowNs - beganNs, nowNs - quietSinceNs)) {
            for (Iterator<Turn> each = left.iterator(); each.hasNext();) {
                if (!each.next().take()) {
                    each.remove();
                }
                nowNs = processorNs.getAsLong();
                if (compiled.getAsLong() != seen) {
                    seen = compiled.getAsLong();
                    quietSinceNs = nowNs;
                }
            }
        }
    }

    private boolean isOver(long workedNs, long quietNs) {
        return workedNs >= MOST_TIMES * leastNs || (workedNs >= leastNs && quietNs >= QUIET_NS);
    }
}
