package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.Worker;
import io.wirelab.sdk.WorkerFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The role {@code client}: one store, used by every lane of a trial.
 *
 * @param <B> a batch in the library's own form
 */
public final class Clients<B> implements Worker.Part {
    private static final long REPORT_AFTER_NS = 500_000_000;

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
        Reader<B> reader = new Reader<>(worker.spec(), store);
        try {
            if (!worker.spec().parameters().text("connect", "before").equals("timed")) {
                reader.connect();
            }
            Lanes<B> lanes = new Lanes<>(worker, reader);
            preflight(lanes);
            worker.ready(Map.of("library", store.library(), "capabilities", List.of("lanes")));
            OptionalLong start = worker.commands().awaitStart();
            if (start.isPresent()) {
                carryOut(lanes, start.getAsLong());
            }
        } finally {
            close(store, worker.spec().limits().stopNs() / 4);
        }
    }

    private static <B> void carryOut(Lanes<B> lanes, long startNs) throws IOException {
        lanes.worker().reportFrom(startNs + REPORT_AFTER_NS);
        if (!lanes.spec().schedule().closed()) {
            new OpenLoop<>(lanes, startNs).run();
            return;
        }
        while (!lanes.stopped() && startNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(startNs - System.nanoTime());
        }
        new ClosedLoop<>(lanes).run();
    }

    /** What is verified before timing, as lane 0 of the first step. */
    private static <B> void preflight(Lanes<B> lanes) throws IOException {
        Spec.Step step = lanes.steps().get(0);
        Reader<B> reader = lanes.reader();
        List<Reader.Batch<B>> batches = reader.batchesOf(step);
        int calls = lanes.spec().verify().preflight().getOrDefault("read", 0);
        for (int tick = 0; tick < calls && !lanes.stopped(); tick++) {
            Reader.Batch<B> batch = batches.get(Draw.batchOf(tick, 0));
            long startNs = System.nanoTime();
            Outcome outcome;
            try {
                outcome = reader.judge(batch, reader.read(batch));
            } catch (Exception why) {
                outcome = reader.explain(why);
            }
            long endNs = System.nanoTime();
            if (outcome.status() != Status.OK) {
                Fault fault = outcome.faults().get(0);
                throw new WorkerFailure("read", fault);
            }
            lanes.records().writePreflight(tick,
                    new Records.Ended(step, tick, 0, startNs, startNs, endNs), outcome);
        }
    }

    /** A library may wait for a server that is gone; the worker does not. */
    private static void close(Store<?> store, long limitNs) throws InterruptedException {
        Thread closing = new Thread(() -> {
            try {
                store.close();
            } catch (RuntimeException why) {
                System.err.println("the store could not be closed: " + why);
            }
        }, "wirelab-closing");
        closing.setDaemon(true);
        closing.start();
        closing.join(limitNs / 1_000_000);
        if (closing.isAlive()) {
            System.err.println("closing was given up: the library did not let go in time");
        }
    }
}
