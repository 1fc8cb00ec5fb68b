package io.wirelab.sdk;

import io.wirelab.sdk.Client.Phase;

/**
 * One operation of one lane. It belongs to the thread that performs it; whoever gives it up reads
 * what does not change any more once it has begun.
 */
public final class LaneCall {
    /** The tick of a call that connects a user. */
    static final long JOINING = -1;

    /** Connecting where the spec has no operation for it: it leaves no record. */
    static final Spec.Timed UNTIMED_JOIN = new Spec.Timed("connect", 0, 1, 1);

    private static final long NO_TIME = -1;

    private final Spec.Timed operation;
    private final Phase phase;
    private final Spec.Step step;
    private final long tick;
    private final int lane;
    private final long dueNs;
    private long begunNs;
    private long startNs;
    private long endNs = NO_TIME;

    private LaneCall(Spec.Timed operation, Phase phase, Spec.Step step, long tick, int lane,
            long dueNs) {
        this.operation = operation;
        this.phase = phase;
        this.step = step;
        this.tick = tick;
        this.lane = lane;
        this.dueNs = dueNs;
    }

    /** A call that was due at a time of CLOCK_MONOTONIC. */
    static LaneCall due(Spec.Timed operation, Spec.Step step, long tick, int lane, long dueNs) {
        return new LaneCall(operation, Phase.MEASURE, step, tick, lane, dueNs);
    }

    /** A call of a closed loop, which is due when it starts. */
    static LaneCall next(Spec.Timed operation, Spec.Step step, long tick, int lane) {
        return new LaneCall(operation, Phase.MEASURE, step, tick, lane, NO_TIME);
    }

    /** A call before the measurement, by lane 0. */
    static LaneCall preflight(Spec.Timed operation, Spec.Step step, long index) {
        return new LaneCall(operation, Phase.PREFLIGHT, step, index, 0, NO_TIME);
    }

    /** The same call as one that is over now, and never started where it had not {@code begun}. */
    LaneCall givenUp(boolean begun) {
        LaneCall call = new LaneCall(operation, phase, step, tick, lane, dueNs);
        call.endNs = System.nanoTime();
        call.startNs = begun ? begunNs : call.endNs;
        return call;
    }

    boolean isRecorded() {
        return operation != UNTIMED_JOIN;
    }

    /** Stamps when it was begun, which is its start should it be given up. */
    void begin() {
        begunNs = System.nanoTime();
    }

    /** Stamps the start, just before the library is called. */
    void start() {
        startNs = System.nanoTime();
    }

    /** Stamps the end, unless the work has said when it was. */
    void end(long nowNs) {
        if (endNs == NO_TIME) {
            endNs = nowNs;
        }
    }

    /** Says when the result was in the caller's hands, where another thread saw it come. */
    public void endedAt(long ns) {
        endNs = ns;
    }

    /** Operation that is performed. */
    public Spec.Timed operation() {
        return operation;
    }

    /** Part of the trial. */
    public Phase phase() {
        return phase;
    }

    /** The step it belongs to; of a preflight, the first one. */
    public Spec.Step step() {
        return step;
    }

    /** Number of the tick; of a preflight, counted by itself. */
    public long tick() {
        return tick;
    }

    /** The lane, which is the user of that number. */
    public int lane() {
        return lane;
    }

    /** Time at which it was due, on CLOCK_MONOTONIC; in a closed loop, when it started. */
    public long intendedNs() {
        return dueNs == NO_TIME ? startNs : dueNs;
    }

    /** Time at which the library was called, on CLOCK_MONOTONIC. */
    public long startNs() {
        return startNs;
    }

    /** Time at which the result was in the caller's hands, on CLOCK_MONOTONIC. */
    public long endNs() {
        return endNs;
    }
}
