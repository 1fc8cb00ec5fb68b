package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One lane: its reads one after the other, recorded. For one thread; {@link #giveUp} for another.
 *
 * @param <B> a batch in the library's own form
 */
final class Lane<B> {
    private final int number;
    private final Reader<B> reader;
    private final Records records;
    /** Taken by whoever records the read under way: this lane, or who gave it up. */
    private final AtomicReference<Attempt> underWay = new AtomicReference<>();

    private record Attempt(long intendedNs, long startNs) {}

    Lane(int number, Reader<B> reader, Records records) {
        this.number = number;
        this.reader = reader;
        this.records = records;
    }

    /**
     * One read, recorded; returns when it has ended.
     *
     * @param batches those of the step
     * @param intendedNs when it was due; negative: when it starts
     */
    void read(List<Reader.Batch<B>> batches, Spec.Step step, long tick, long intendedNs) {
        Reader.Batch<B> batch = batches.get(Draw.batchOf(tick, number));
        Row[] rows = null;
        Throwable thrown = null;
        long begunNs = System.nanoTime();
        Attempt attempt = new Attempt(intendedNs < 0 ? begunNs : intendedNs, begunNs);
        underWay.set(attempt);
        long startNs = System.nanoTime();
        try {
            rows = reader.read(batch);
        } catch (Throwable why) {
            thrown = why;
        }
        long endNs = System.nanoTime();
        if (!underWay.compareAndSet(attempt, null)) {
            return;
        }
        Outcome outcome = thrown == null ? reader.judge(batch, rows) : reader.explain(thrown);
        long dueNs = intendedNs < 0 ? startNs : intendedNs;
        records.keep(new Records.Ended(step, tick, number, dueNs, startNs, endNs), outcome);
    }

    /** A tick for which there was no time any more. */
    void miss(Spec.Step step, long tick, long intendedNs) {
        long nowNs = System.nanoTime();
        records.keep(new Records.Ended(step, tick, number, intendedNs, nowNs, nowNs),
                givenUp("not begun when time was up"));
    }

    /** Records the read under way as a timeout, if there is one; its thread ends with the process. */
    void giveUp(Spec.Step step) {
        Attempt attempt = underWay.getAndSet(null);
        if (attempt != null) {
            long nowNs = System.nanoTime();
            records.keep(new Records.Ended(step, -1, number, attempt.intendedNs, attempt.startNs,
                    nowNs), givenUp("no end after " + (nowNs - attempt.startNs) / 1_000_000 + " ms"));
        }
    }

    private static Outcome givenUp(String said) {
        return Outcome.failed(Status.TIMEOUT, new Fault(Fault.Scope.CALL, "GivenUp", "", said));
    }
}
