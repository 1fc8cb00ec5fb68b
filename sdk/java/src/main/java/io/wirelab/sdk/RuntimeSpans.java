package io.wirelab.sdk;

import java.util.ArrayList;
import java.util.List;

/**
 * Collections or compilations since the {@code runtime} event before, told by a counter that is
 * looked at often: what it grew by was done between two looks.
 */
final class RuntimeSpans {
    /** The contract wants no more of them in an event. */
    static final int MOST = 500;

    /** And no more in all events, which are bounded. */
    static final int MOST_IN_ALL = 50_000;

    private final boolean stops;
    private List<List<Long>> spans = new ArrayList<>();
    private long lastMs;
    private long lookedNs;
    private int told;
    private long untold;

    /**
     * Begins where the counter stands.
     *
     * @param stops whether the program stands still meanwhile, so that all of it was since the look
     *     before; otherwise it may have begun earlier
     */
    RuntimeSpans(boolean stops, long totalMs, long beforeNs) {
        this.stops = stops;
        lastMs = totalMs;
        lookedNs = beforeNs;
    }

    /** Takes what the counter said between {@code beforeNs} and {@code afterNs}. */
    void look(long totalMs, long beforeNs, long afterNs) {
        long tookNs = (totalMs - lastMs) * 1_000_000;
        if (tookNs > 0) {
            if (spans.size() < MOST && told < MOST_IN_ALL) {
                told++;
                spans.add(List.of(stops ? lookedNs : lookedNs - tookNs, afterNs, tookNs));
            } else {
                untold++;
            }
        }
        lastMs = totalMs;
        lookedNs = beforeNs;
    }

    /** All since the last time this was asked, each its bounds and how long it took. */
    List<List<Long>> taken() {
        List<List<Long>> own = spans;
        spans = new ArrayList<>();
        return own;
    }

    /** How many of them were left out. */
    long untold() {
        long left = untold;
        untold = 0;
        return left;
    }
}
