package io.wirelab.sdk;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Counts of each second after tick 0, until they are taken out to be written. What comes for a
 * second after that makes a line of its own. For one thread at a time.
 */
public final class BySecond<T> {
    private static final long SECOND_NS = 1_000_000_000;

    private final Supplier<T> fresh;
    private TreeMap<Long, T> counts = new TreeMap<>();
    private long tick0Ns;

    /** With counts that are made by {@code fresh} where a second has none. */
    public BySecond(Supplier<T> fresh) {
        this.fresh = fresh;
    }

    /** Second 0 begins at {@code tick0Ns}. */
    public void startAt(long tick0Ns) {
        this.tick0Ns = tick0Ns;
    }

    /** The counts of the second of a time; what comes before tick 0 belongs to the first. */
    public T at(long ns) {
        return counts.computeIfAbsent(Math.max(0, secondOf(ns)), second -> fresh.get());
    }

    /** Takes out the seconds that were over so many {@code seconds} before {@code nowNs}. */
    public SortedMap<Long, T> settled(long nowNs, long seconds) {
        SortedMap<Long, T> old = counts.headMap(secondOf(nowNs) - seconds);
        TreeMap<Long, T> taken = new TreeMap<>(old);
        old.clear();
        return taken;
    }

    /** Takes out all of them. */
    public SortedMap<Long, T> all() {
        TreeMap<Long, T> taken = counts;
        counts = new TreeMap<>();
        return taken;
    }

    private long secondOf(long ns) {
        return Math.floorDiv(ns - tick0Ns, SECOND_NS);
    }
}
