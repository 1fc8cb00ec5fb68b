package io.wirelab.kv;

import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;
import java.util.ArrayList;
import java.util.List;

/**
 * What the loops share: the worker, its lanes and their records.
 *
 * @param <B> a batch in the library's own form
 */
final class Lanes<B> {
    private final Worker worker;
    private final Reader<B> reader;
    private final Records records;
    private final List<Lane<B>> lanes = new ArrayList<>();

    Lanes(Worker worker, Reader<B> reader) {
        this.worker = worker;
        this.reader = reader;
        records = new Records(worker);
    }

    /** The steps; a schedule that has none is a single step of one lane. */
    List<Spec.Step> steps() {
        Spec.Schedule schedule = worker.spec().schedule();
        return schedule.steps().isEmpty()
                ? List.of(new Spec.Step("", 0, schedule.count(), 0, 1, 1, 0,
                        worker.spec().parameters()))
                : schedule.steps();
    }

    /** The first {@code count} lanes. For one thread, while nothing is under way. */
    List<Lane<B>> first(int count) {
        while (lanes.size() < count) {
            lanes.add(new Lane<>(lanes.size(), reader, records));
        }
        return lanes.subList(0, count);
    }

    Worker worker() {
        return worker;
    }

    Spec spec() {
        return worker.spec();
    }

    Reader<B> reader() {
        return reader;
    }

    Records records() {
        return records;
    }

    boolean stopped() {
        return worker.commands().stopped();
    }

    /** Nanoseconds that reads under way still get after a stop. */
    long graceNs() {
        return spec().limits().stopNs() / 4;
    }
}
