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
 * The operation {@code read}, as lanes perform it: multi-gets prepared, the store connected once,
 * results checked.
 *
 * @param <B> a multi-get in the library's own form
 */
final class Reads<B> implements LaneWork<Reads.MultiGet<B>, Row[]> {
    private final long seed;
    private final Store<B> store;
    /** True where the server loses its records when it is restarted. */
    private final boolean forgets;
    private final Map<Draw, List<MultiGet<B>>> drawn = new HashMap<>();
    /** By the name of a step; steps that draw alike have the same. */
    private final Map<String, List<MultiGet<B>>> byStep = new ConcurrentHashMap<>();
    private volatile boolean connected;

    /** A multi-get of a step, and what it gave the first time; of a server that forgets, the most. */
    record MultiGet<B>(Draw draw, int number, B asked, AtomicReference<Rows.RowSummary> first) {}

    Reads(long seed, Store<B> store, boolean forgets) {
        this.seed = seed;
        this.store = store;
        this.forgets = forgets;
    }

    @Override
    public List<String> operations() {
        return List.of("read");
    }

    @Override
    public void begin(Spec.Step step) {
        byStep.put(step.name(), drawn.computeIfAbsent(Draw.of(step.parameters()), this::multiGetsOf));
    }

    private List<MultiGet<B>> multiGetsOf(Draw draw) {
        List<MultiGet<B>> multiGets = new ArrayList<>();
        for (int number = 0; number < Draw.MULTI_GETS; number++) {
            B asked = store.prepare(draw.set(), draw.keysOf(seed, number));
            multiGets.add(new MultiGet<>(draw, number, asked, new AtomicReference<>()));
        }
        return multiGets;
    }

    @Override
    public boolean inRounds(Spec.Step step) {
        return Clients.inRounds(step);
    }

    @Override
    public MultiGet<B> prepare(LaneCall call) {
        return byStep.get(call.step().name()).get(Draw.multiGetOf(call.tick(), call.lane()));
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
    public Row[] call(MultiGet<B> multiGet, LaneCall call) throws Exception {
        connect();
        return store.read(multiGet.asked);
    }

    /** Like the same multi-get before, or a wrong answer; records that were forgotten are missing. */
    @Override
    public Outcome judge(LaneCall call, Row[] rows) {
        MultiGet<B> multiGet = prepare(call);
        Rows.RowSummary seen = Rows.summary(rows);
        Rows.RowSummary first = multiGet.first.accumulateAndGet(seen, this::known);
        if (seen.rows() != multiGet.draw.keys() || !seen.equals(first)) {
            String said = "multi-get " + multiGet.number + " of " + multiGet.draw + ": " + seen
                    + ", before " + first;
            boolean lacks = forgets && seen.found() < first.found();
            return Outcome.failed(lacks ? Status.ITEM_ERROR : Status.WRONG_ANSWER,
                    new Fault(Fault.Scope.CALL, lacks ? "MissingRecords" : "WrongAnswer", "", said));
        }
        return new Outcome(Status.OK, List.of(), seen.found(), () -> answer(multiGet, seen, rows));
    }

    private Rows.RowSummary known(Rows.RowSummary first, Rows.RowSummary seen) {
        return first == null || forgets && seen.found() > first.found() ? seen : first;
    }

    private static Map<String, Object> answer(MultiGet<?> multiGet, Rows.RowSummary seen, Row[] rows) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("multi_get", multiGet.number);
        answer.put("set", multiGet.draw.set());
        answer.put("keys", multiGet.draw.keys());
        answer.put("found", seen.found());
        answer.put("checksum", String.format("%016x", Rows.checksum(rows)));
        return answer;
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        return Outcome.failed(store.statusOf(thrown), Fault.ofCall(thrown, store.nameOf(thrown)));
    }
}
