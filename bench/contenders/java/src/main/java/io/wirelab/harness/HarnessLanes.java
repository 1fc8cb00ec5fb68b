package io.wirelab.harness;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.ThreadedLanes;
import io.wirelab.sdk.Worker;
import java.util.List;
import java.util.Map;

/** Does nothing in a lane, or records a batch of samples. */
final class HarnessLanes implements LaneWork<Spec.Timed, Spec.Timed> {
    private final Fillers fillers;

    /** Without {@code fillers} there is no batch to record. */
    private HarnessLanes(Fillers fillers) {
        this.fillers = fillers;
    }

    /** Plays the role {@code client}. */
    static void play(Worker worker) throws Exception {
        Spec spec = worker.spec();
        Fillers fillers = spec.operations().containsKey(HarnessClient.BATCH)
                ? new Fillers(spec.paths().scratch()) : null;
        ThreadedLanes<Spec.Timed, Spec.Timed> lanes =
                new ThreadedLanes<>(worker, new HarnessLanes(fillers));
        worker.ready(Map.of("library", HarnessClient.LIBRARY, "capabilities", List.of("lanes")));
        lanes.run();
        if (fillers != null) {
            fillers.close();
        }
    }

    @Override
    public List<String> operations() {
        return HarnessClient.OPERATIONS;
    }

    @Override
    public Spec.Timed prepare(LaneCall call) {
        return call.operation();
    }

    @Override
    public Spec.Timed call(Spec.Timed operation, LaneCall call) {
        if (fillers != null) {
            fillers.record(operation.items(), operation.code());
        }
        return operation;
    }

    @Override
    public Outcome judge(LaneCall call, Spec.Timed result) {
        return Outcome.OK;
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        return Outcome.failed(Status.ERROR, Fault.ofCall(thrown, ""));
    }
}
