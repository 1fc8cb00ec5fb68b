package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The operation {@code read}: batches prepared, the store connected once, results checked.
 *
 * @param <B> a batch in the library's own form
 */
final class Reader<B> {
    private final Spec spec;
    private final Store<B> store;
    private final Map<Draw, List<Batch<B>>> prepared = new HashMap<>();
    private volatile boolean connected;

    /** A batch of a step, and what it gave the first time. */
    record Batch<B>(Draw draw, int number, B asked, AtomicReference<Rows.Glance> first) {}

    Reader(Spec spec, Store<B> store) {
        this.spec = spec;
        this.store = store;
    }

    Store<B> store() {
        return store;
    }

    /** The batches of a step; steps that draw alike have the same. For one thread, not timed. */
    List<Batch<B>> batchesOf(Spec.Step step) {
        return prepared.computeIfAbsent(Draw.of(step.parameters()), draw -> {
            List<Batch<B>> batches = new ArrayList<>();
            for (int number = 0; number < Draw.BATCHES; number++) {
                B asked = store.prepare(draw.set(), draw.keysOf(spec.seed(), number));
                batches.add(new Batch<>(draw, number, asked, new AtomicReference<>()));
            }
            return batches;
        });
    }

    /** Connects, unless that has been done. */
    void connect() throws Exception {
        if (connected) {
            return;
        }
        synchronized (this) {
            if (!connected) {
                store.connect();
                connected = true;
            }
        }
    }

    /** The timed part; it connects where nobody has. */
    Row[] read(Batch<B> batch) throws Exception {
        connect();
        return store.read(batch.asked);
    }

    /** Like the same batch before, or a wrong answer. */
    Outcome judge(Batch<B> batch, Row[] rows) {
        Rows.Glance seen = Rows.glance(rows);
        batch.first.compareAndSet(null, seen);
        Rows.Glance first = batch.first.get();
        if (seen.rows() != batch.draw.keys() || !seen.equals(first)) {
            String said = "batch " + batch.number + " of " + batch.draw + ": " + seen
                    + ", the first time " + first;
            return Outcome.failed(Status.WRONG_ANSWER,
                    new Fault(Fault.Scope.CALL, "WrongAnswer", "", said));
        }
        return new Outcome(Status.OK, List.of(), seen.found(), () -> answer(batch, seen, rows));
    }

    private static Map<String, Object> answer(Batch<?> batch, Rows.Glance seen, Row[] rows) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("batch", batch.number);
        answer.put("set", batch.draw.set());
        answer.put("keys", batch.draw.keys());
        answer.put("found", seen.found());
        answer.put("checksum", String.format("%016x", Rows.checksum(rows)));
        return answer;
    }

    /** A failure of the call in the words of its library. */
    Outcome explain(Throwable thrown) {
        return Outcome.failed(store.statusOf(thrown), Fault.ofCall(thrown, store.nameOf(thrown)));
    }
}
