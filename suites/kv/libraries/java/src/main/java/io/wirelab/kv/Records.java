package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.Worker;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Records what lanes did. Answers are kept until nothing is under way: to compute one takes time. */
final class Records {
    private static final String READ = "read";

    private final Worker worker;
    private final Spec.Timed operation;
    private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final AtomicLong lastNs = new AtomicLong();

    /** A read that has ended, or was given up; times on CLOCK_MONOTONIC. */
    record Ended(Spec.Step step, long tick, int lane, long intendedNs, long startNs, long endNs) {}

    private record Answered(Ended ended, Outcome outcome) {}

    Records(Worker worker) {
        this.worker = worker;
        operation = worker.spec().operation(READ);
    }

    /** Records a read of the measurement. From any thread. */
    void keep(Ended ended, Outcome outcome) {
        worker.recorder().record(ended.intendedNs, ended.startNs, ended.endNs, outcome.size(),
                operation.code(), outcome.status().code(), ended.lane);
        lastNs.accumulateAndGet(ended.endNs, Math::max);
        for (Fault fault : outcome.faults()) {
            worker.events().error(fault, READ, ended.intendedNs, ended.endNs);
        }
        if (outcome.status() == Status.OK && isWanted(ended)) {
            answered.add(new Answered(ended, outcome));
        }
    }

    /** Whether a tick is one of this operation's. */
    boolean isDue(long tick) {
        return operation.dueAt(tick);
    }

    /** The end of the last read so far. */
    long lastNs() {
        return lastNs.get();
    }

    private boolean isWanted(Ended ended) {
        return ended.tick % ended.step.lanes() == ended.lane
                && worker.spec().verify().wants(READ, ended.tick);
    }

    /** Writes the answers kept so far. */
    synchronized void writeAnswers() throws IOException {
        for (Answered next = answered.poll(); next != null; next = answered.poll()) {
            write("measure", next.ended.tick, next.ended, next.outcome);
        }
    }

    /** Writes the answer of a read before the measurement. */
    void writePreflight(long tick, Ended ended, Outcome outcome) throws IOException {
        write("preflight", tick, ended, outcome);
    }

    private void write(String phase, long tick, Ended ended, Outcome outcome) throws IOException {
        worker.answers().write(phase, READ, tick, ended.startNs, ended.endNs,
                outcome.answer().get());
    }
}
