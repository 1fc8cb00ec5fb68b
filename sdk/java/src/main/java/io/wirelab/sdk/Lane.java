package io.wirelab.sdk;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One lane: its calls one after the other, recorded. For one thread; {@link #giveUp} for another.
 */
final class Lane<P, R> {
    private final LaneWork<P, R> work;
    private final LaneRecords records;
    private final Asked.Kept kept;
    /** Taken by whoever records the call under way: this lane, or who gave it up. */
    private final AtomicReference<LaneCall> underWay = new AtomicReference<>();
    private volatile long lastNs;

    Lane(LaneWork<P, R> work, LaneRecords records, int number) {
        this.work = work;
        this.records = records;
        kept = records.keptOf(number);
    }

    /** Prepares a call, performs it, and records it; false when it was given up meanwhile. */
    boolean perform(LaneCall call) {
        // It can be given up from here on: on a busy machine to prepare it may take its time.
        begin(call);
        kept.begin();
        P prepared = work.prepare(call);
        R result = null;
        Throwable thrown = null;
        call.start();
        try {
            result = work.call(prepared, call);
        } catch (Throwable why) {
            thrown = why;
        }
        call.end(System.nanoTime());
        if (!underWay.compareAndSet(call, null)) {
            return false;
        }
        lastNs = call.endNs();
        Outcome outcome = thrown == null ? work.judge(call, result) : work.explain(call, thrown);
        records.keep(call, outcome);
        kept.end(List.of(new Asked.Result(call.operation().name(), call.tick(), call.startNs(),
                call.endNs(), outcome.answer())));
        return true;
    }

    /** Connects the lane's user; recorded where that is an operation. False when given up. */
    boolean join(LaneCall call, Joining joining) {
        begin(call);
        Throwable thrown = null;
        call.start();
        try {
            joining.join(call);
        } catch (Throwable why) {
            thrown = why;
        }
        call.end(System.nanoTime());
        if (!underWay.compareAndSet(call, null)) {
            return false;
        }
        records.keep(call, thrown == null ? Outcome.OK : work.explain(call, thrown));
        return true;
    }

    private void begin(LaneCall call) {
        call.begin();
        underWay.set(call);
    }

    /** Records the call under way as a timeout, and returns it; null when there is none. */
    LaneCall giveUp() {
        LaneCall call = underWay.getAndSet(null);
        if (call != null) {
            lastNs = records.giveUp(call, true).endNs();
        }
        return call;
    }

    /** The end of its last call on CLOCK_MONOTONIC; 0 before the first one. */
    long lastNs() {
        return lastNs;
    }
}
