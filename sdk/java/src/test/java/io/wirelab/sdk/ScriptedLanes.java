package io.wirelab.sdk;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Work of lanes in the tests: a call is its own result, and brings something to every user. One
 * lane hangs where the parameters say so, and to let go of it may hang as well.
 */
final class ScriptedLanes implements LaneWork<LaneCall, LaneCall>, Arrivals {
    private static final long LASTING_NS = 500_000;

    private final Fields script;
    private final AtomicLong lastNs = new AtomicLong();

    private ScriptedLanes(Fields script) {
        this.script = script;
    }

    static void play(Worker worker) throws Exception {
        ScriptedLanes work = new ScriptedLanes(worker.spec().parameters());
        ThreadedLanes<LaneCall, LaneCall> lanes = new ThreadedLanes<>(worker, work);
        lanes.preflight();
        worker.ready(Map.of("library", Map.of("name", "scripted", "version", "1"),
                "capabilities", List.of("lanes")));
        lanes.run();
    }

    @Override
    public List<String> operations() {
        return List.of("read", "write");
    }

    @Override
    public boolean inRounds(Spec.Step step) {
        return step.parameters().has("rounds");
    }

    @Override
    public LaneCall prepare(LaneCall call) {
        return call;
    }

    @Override
    public LaneCall call(LaneCall prepared, LaneCall call) {
        boolean isMeasured = call.phase() == Client.Phase.MEASURE;
        boolean hangs = isMeasured && call.lane() == script.integer("hanging_lane", -1)
                && call.tick() == script.integer("hanging_tick", -1);
        while (hangs) {
            LockSupport.park();
        }
        LockSupport.parkNanos(LASTING_NS);
        lastNs.accumulateAndGet(System.nanoTime(), Math::max);
        return prepared;
    }

    @Override
    public Outcome judge(LaneCall call, LaneCall result) {
        return new Outcome(Status.OK, List.of(), call.lane(), () -> Map.of("lane", call.lane()));
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        return Outcome.failed(Status.ERROR, Fault.ofCall(thrown, ""));
    }

    @Override
    public void abandon(int lane) {
        while (script.has("abandoning_hangs")) {
            LockSupport.park();
        }
    }

    @Override
    public Optional<Joining> joining() {
        return Optional.of(call -> LockSupport.parkNanos(LASTING_NS));
    }

    @Override
    public Optional<Arrivals> arrivals() {
        return Optional.of(this);
    }

    @Override
    public void begin(Spec.Step step, boolean counts) {
        lastNs.set(System.nanoTime());
    }

    @Override
    public boolean complete() {
        return true;
    }

    @Override
    public long lastNs() {
        return lastNs.get();
    }

    @Override
    public OptionalLong completedNs(int user) {
        return user == script.integer("unserved_user", -1) ? OptionalLong.empty()
                : OptionalLong.of(lastNs.get());
    }
}
