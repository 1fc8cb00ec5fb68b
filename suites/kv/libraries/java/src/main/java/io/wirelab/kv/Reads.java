package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The operation {@code read}, as lanes perform it: batches prepared, the store connected once,
 * results checked.
 *
 * @param <B> a batch in the library's own form
 */
final class Reads<B> implements LaneWork<Reads.Batch<B>, Row[]> {
    private final long seed;
    private final Store<B> store;
    private final Map<Draw, List<Batch<B>>> drawn = new HashMap<>();
    /** By the name of a step; steps that draw alike have the same. */
    private final Map<String, List<Batch<B>>> byStep = new ConcurrentHashMap<>();
    private volatile boolean connected;

    /** A batch of a step, and what it gave the first time. */
    record Batch<B>(Draw draw, int number, B asked, AtomicReference<Rows.RowSummary> first) {}

    Reads(long seed, Store<B> store) {
        this.seed = seed;
        this.store = store;
    }

    @Override
    public List<String> operations() {
        return List.of("read");
    }

    @Override
    public void begin(Spec.Step step) {
        byStep.put(step.name(), drawn.computeIfAbsent(Draw.of(step.parameters()), this::batchesOf));
    }

    private List<Batch<B>> batchesOf(Draw draw) {
        List<Batch<B>> batches = new ArrayList<>();
        for (int number = 0; number < Draw.BATCHES; number++) {
            B asked = store.prepare(draw.set(), draw.keysOf(seed, number));
            batches.add(new Batch<>(draw, number, asked, new AtomicReference<>()));
        }
        return batches;
    }

    @Override
    public boolean inRounds(Spec.Step step) {
        return Clients.inRounds(step);
    }

    @Override
    public Batch<B> prepare(LaneCall call) {
        return byStep.get(call.step().name()).get(Draw.batchOf(call.tick(), call.lane()));
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

    /** Reads; it connects where nobody has. */
    @Override
    public Row[] call(Batch<B> batch, LaneCall call) throws Exception {
        connect();
        return store.read(batch.asked);
    }

    /** Like the same batch before, or a wrong answer. */
    @Override
    public Outcome judge(LaneCall call, Row[] rows) {
        Batch<B> batch = prepare(call);
        Rows.RowSummary seen = Rows.summary(rows);
        batch.first.compareAndSet(null, seen);
        Rows.RowSummary first = batch.first.get();
        if (seen.rows() != batch.draw.keys() || !seen.equals(first)) {
            String said = "batch " + batch.number + " of " + batch.draw + ": " + seen
                    + ", the first time " + first;
            return Outcome.failed(Status.WRONG_ANSWER,
                    new Fault(Fault.Scope.CALL, "WrongAnswer", "", said));
        }
        return new Outcome(Status.OK, List.of(), seen.found(), () -> answer(batch, seen, rows));
    }

    private static Map<String, Object> answer(Batch<?> batch, Rows.RowSummary seen, Row[] rows) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("batch", batch.number);
        answer.put("set", batch.draw.set());
        answer.put("keys", batch.draw.keys());
        answer.put("found", seen.found());
        answer.put("checksum", String.format("%016x", Rows.checksum(rows)));
        return answer;
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        return Outcome.failed(store.statusOf(thrown), Fault.ofCall(thrown, store.nameOf(thrown)));
    }
}
