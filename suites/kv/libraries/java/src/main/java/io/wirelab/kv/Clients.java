package io.wirelab.kv;

import io.wirelab.sdk.Closing;
import io.wirelab.sdk.ThreadedLanes;
import io.wirelab.sdk.Worker;
import java.util.List;
import java.util.Map;

/**
 * The role {@code client}: one store, used by every lane of a trial.
 *
 * @param <B> a batch in the library's own form
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
        Store<B> store = maker.make(worker.spec());
        Reads<B> reads = new Reads<>(worker.spec().seed(), store);
        try {
            if (!worker.spec().parameters().text("connect", "before").equals("timed")) {
                reads.connect();
            }
            ThreadedLanes<Reads.Batch<B>, Row[]> lanes = new ThreadedLanes<>(worker, reads);
            lanes.preflight();
            worker.ready(Map.of("library", store.library(), "capabilities", List.of("lanes")));
            lanes.run();
        } finally {
            Closing.within(worker.spec().limits().stopNs() / 4, store::close);
        }
    }
}
