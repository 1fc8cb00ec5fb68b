package io.wirelab.kv;

import io.wirelab.sdk.Closing;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.ThreadedLanes;
import io.wirelab.sdk.Worker;
import java.util.List;
import java.util.Map;

/**
 * The role {@code client}: one store, used by every lane of a trial.
 *
 * @param <B> a multi-get in the library's own form
 */
public final class Clients<B> implements Worker.Part {
    private final Store.Maker<B> maker;

    private Clients(Store.Maker<B> maker) {
        this.maker = maker;
    }

    /** Is the worker of a contender; does not return. */
    public static <B> void main(Store.Maker<B> maker) {
        Worker.main(new Clients<>(maker));
    }

    @Override
    public void play(Worker worker) throws Exception {
        Spec spec = worker.spec();
        Store<B> store = maker.make(spec);
        try {
            if (spec.operations().containsKey(Records.OPERATION)) {
                store.connect();
                carryOut(worker, store, new Records(spec, withRecords(store)));
            } else {
                Reads<B> reads = new Reads<>(spec.seed(), store, forgets(spec));
                if (!spec.parameters().text("connect", "before").equals("timed")) {
                    reads.connect();
                }
                carryOut(worker, store, reads);
            }
        } finally {
            Closing.within(spec.limits().stopNs() / 4, store::close);
        }
    }

    private static boolean forgets(Spec spec) {
        Fields facts = spec.facts().objectOrEmpty("server");
        return facts.has("forgets") && facts.flag("forgets");
    }

    private static RecordStore<?> withRecords(Store<?> store) {
        if (store instanceof RecordStore<?> records) {
            return records;
        }
        throw new IllegalArgumentException(Records.OPERATION + ": this client has no records");
    }

    private static <P, R> void carryOut(Worker worker, Store<?> store, LaneWork<P, R> work)
            throws Exception {
        ThreadedLanes<P, R> lanes = new ThreadedLanes<>(worker, work);
        lanes.preflight();
        worker.ready(Map.of("library", store.library(), "capabilities", List.of("lanes")));
        lanes.run();
    }

    /** Tells whether lanes begin each tick of a step together. */
    static boolean inRounds(Spec.Step step) {
        return step.parameters().has("barrier") && step.parameters().flag("barrier");
    }
}
