package io.wirelab.codec.worker;

import io.wirelab.codec.Subject;
import io.wirelab.codec.loops.Loop;
import io.wirelab.codec.loops.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Calibrates, warms up, measures and counts, as the contract's <i>Batch loops</i> say; and before,
 * as they do not, repeats all operations of a step for {@code prewarm_ms} of processor time. In the
 * tens of milliseconds that a short profile warms up a JVM still interprets: what would be measured
 * then is how far its compilers came.
 */
final class BatchRunner {
    private static final int MOST_TIMES = 10;
    private static final int AGREEING = 3;
    private static final long COUNTED_POOLS = 4;
    private static final String WARMUP = "warmup";

    /** A batch shorter than this share of what was asked is made longer. */
    private static final double TOO_SHORT = 0.9;

    private final Plan plan;
    private final LineFile file;
    private final StopSignal stop;

    BatchRunner(Plan plan, LineFile file, StopSignal stop) {
        this.plan = plan;
        this.file = file;
        this.stop = stop;
    }

    /** Runs operations of a step; what was measured of each is written when it is over. */
    void run(Subject subject, List<String> operations) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (String operation : operations) {
            runs.add(new Run(subject, operation));
        }
        if (plan.rounds() == 0) {
            for (Run run : runs) {
                run.attempt(() -> run.prewarm(plan.prewarmNs() / runs.size()));
            }
        }
        for (Run run : runs) {
            run.attempt(run::measure);
            run.write();
        }
    }

    /** An operation of a step on its way through the phases. */
    private final class Run {
        private final Subject subject;
        private final String operation;
        private final List<Batch> batches = new ArrayList<>();
        private Loop loop;
        private Throwable failure;

        Run(Subject subject, String operation) {
            this.subject = subject;
            this.operation = operation;
            attempt(() -> loop = subject.loop(operation));
        }

        /** Does {@code part} unless something failed already, or the core said stop. */
        void attempt(Part part) {
            if (failure != null || stop.given()) {
                return;
            }
            try {
                part.play();
            } catch (StopSignal.Stopped stopped) {
                // What was measured before is written nevertheless.
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        /**
         * Repeats the operation until the process, its compilers with it, has used {@code ns} of
         * processor time, in batches that are no longer than asked for.
         */
        void prewarm(long ns) throws Exception {
            long end = JvmFigures.processorNs() + ns;
            long rounds = 1;
            while (JvmFigures.processorNs() < end) {
                Batch last = add(batches, batch(loop, WARMUP, rounds));
                rounds = longer(last, loop.size(), 1);
            }
        }

        void measure() throws Exception {
            long rounds = plan.rounds() > 0 ? plan.rounds() : warm(loop, batches);
            for (long i = 0; i < plan.count(); i++) {
                batches.add(batch(loop, "measure", rounds));
            }
            batches.add(batch(loop, "allocation", COUNTED_POOLS * loop.size()));
        }

        void write() throws IOException {
            if (failure != null) {
                Failure said = Failure.of(failure);
                file.write(Map.of("step", subject.step(), "operation", operation,
                        "phase", "failed", "class", said.kind(), "message", said.message()));
                return;
            }
            for (Batch batch : batches) {
                file.write(batch.line(subject.step(), operation));
            }
        }
    }

    /** A part of a run. */
    @FunctionalInterface
    private interface Part {
        void play() throws Exception;
    }

    /** Calibrates and warms up; the rounds of a batch. */
    private long warm(Loop loop, List<Batch> batches) throws Exception {
        long beganNs = System.nanoTime();
        long rounds = 1;
        Batch last = add(batches, batch(loop, WARMUP, rounds));
        while (last.endNs() - last.startNs() < plan.batchNs()) {
            rounds = longer(last, loop.size(), Math.max(2 * rounds, 1));
            last = add(batches, batch(loop, WARMUP, rounds));
        }
        while (System.nanoTime() - beganNs < plan.warmupNs() && !steady(batches, beganNs)) {
            last = add(batches, batch(loop, WARMUP, rounds));
            if (last.endNs() - last.startNs() < TOO_SHORT * plan.batchNs()) {
                rounds = longer(last, loop.size(), rounds);
            }
        }
        return rounds;
    }

    /**
     * Whether the last batches agree, and mean something: the compilers work beside the loop, and
     * batches of equally slow code agree well while better code is still being made. So agreement
     * does not count in the first half of the time, nor while a compilation came to its end.
     */
    private boolean steady(List<Batch> batches, long beganNs) {
        if (batches.size() < AGREEING || System.nanoTime() - beganNs < plan.warmupNs() / 2) {
            return false;
        }
        List<Batch> last = batches.subList(batches.size() - AGREEING, batches.size());
        double median = last.stream().mapToDouble(Batch::roundNs).sorted()
                .skip(AGREEING / 2).findFirst().orElseThrow();
        return last.stream().allMatch(batch -> batch.cost().compiledMs() == 0
                && Math.abs(batch.roundNs() - median) <= plan.agree() * median);
    }

    /** Rounds for a batch as long as asked, at least {@code least}; whole pools where there are. */
    private long longer(Batch last, int size, long least) {
        double wanted = plan.batchNs() / last.roundNs();
        long rounds = Math.max(least, (long) Math.min(wanted * 1.02, MOST_TIMES * last.rounds()));
        return rounds <= size ? rounds : (rounds + size - 1) / size * size;
    }

    private Batch batch(Loop loop, String phase, long rounds) throws Exception {
        JvmFigures before = JvmFigures.now();
        long allocated = JvmFigures.allocated();
        long startNs = System.nanoTime();
        int checksum = loop.run(rounds, stop);
        long endNs = System.nanoTime();
        allocated = JvmFigures.allocated() - allocated;
        return new Batch(phase, startNs, endNs, rounds, checksum, allocated,
                JvmFigures.now().since(before));
    }

    private static Batch add(List<Batch> batches, Batch batch) {
        batches.add(batch);
        return batch;
    }
}
