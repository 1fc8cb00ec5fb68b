package io.wirelab.sdk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A worker of a microbenchmark: ready, the answers and loops of every step, done. */
public final class BatchWorker {
    private static final long SECOND_NS = 1_000_000_000;

    private final Worker worker;
    private final BatchPlan plan;
    private final BatchFile file;
    private long saidRuntimeNs = System.nanoTime();

    /** Work of such a worker between reading its spec and saying {@code done}. */
    @FunctionalInterface
    public interface Part {
        /** Says {@code ready} and repeats what the steps are. */
        void play(BatchWorker worker) throws Exception;
    }

    /** Writes the answers of a step. */
    @FunctionalInterface
    public interface Answering<R extends Repeated> {
        /** Writes those of {@code step}. */
        void answer(R step) throws Exception;
    }

    private BatchWorker(Worker worker) throws IOException {
        this.worker = worker;
        plan = BatchPlan.load(Path.of(System.getenv("WIRELAB_SPEC")));
        file = new BatchFile(plan.file());
    }

    /** Plays {@code part} as the process's only purpose; does not return. */
    public static void main(Part part) {
        Worker.main(worker -> {
            BatchWorker batches = new BatchWorker(worker);
            part.play(batches);
            batches.file.close();
            worker.tookBatches(batches.file.lines());
        });
    }

    /** Spec of what is to be done. */
    public Spec spec() {
        return worker.spec();
    }

    /** Plan of the batches. */
    public BatchPlan plan() {
        return plan;
    }

    /** The answers file. */
    public Answers answers() {
        return worker.answers();
    }

    /** Tells whether the worker is to end. */
    public boolean stopped() {
        return worker.commands().stopped();
    }

    /** Says {@code ready}, with {@code facts} that the suite asks for. */
    public void ready(Map<String, String> library, Map<String, ?> facts) throws IOException {
        worker.ready(Map.of("library", library, "facts", facts));
    }

    /**
     * Waits for the start and works through {@code steps}. The answers of each come before its
     * loops; after them where the plan gives the iterations, so that the first one of all is cold.
     */
    public <R extends Repeated> void repeat(List<R> steps, Answering<R> answering)
            throws Exception {
        OptionalLong startNs = worker.commands().awaitStart();
        if (startNs.isEmpty()) {
            return;
        }
        TimeUnit.NANOSECONDS.sleep(startNs.getAsLong() - System.nanoTime());
        boolean cold = plan.iterations() > 0;
        for (R step : steps) {
            if (!cold && !stopped()) {
                answering.answer(step);
            }
            loops(step);
            if (cold && !stopped()) {
                answering.answer(step);
            }
        }
    }

    private void loops(Repeated step) throws IOException {
        if (plan.count() > 0) {
            List<String> asked = spec().operations().values().stream()
                    .filter(operation -> operation.record().equals("batches"))
                    .map(Spec.Timed::name)
                    .filter(step.operations()::contains)
                    .toList();
            new BatchRunner(plan, file, worker.commands()).run(step, asked, this::sayRuntime);
        }
    }

    /** Says how the runtime is, between loops and at most once a second. */
    private void sayRuntime() {
        if (!plan.counted() && System.nanoTime() - saidRuntimeNs >= SECOND_NS) {
            saidRuntimeNs = System.nanoTime();
            worker.sayRuntime();
        }
    }
}
