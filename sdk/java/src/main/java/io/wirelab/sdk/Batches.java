package io.wirelab.sdk;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The batches of one loop: prewarmed by turns, calibrated, warmed up, measured, counted for what they allocate. */
final class Batches {
    private static final int MOST_TIMES = 10;
    private static final long MOST_ITERATIONS = 1_000_000_000_000L;
    private static final int AGREEING = 3;
    private static final int ALLOCATION_PASSES = 4;

    /** A batch is longer by this much than the most iterations before its audit. */
    private static final int AUDITED_PART = 8;

    private static final String PREWARM = "prewarm";
    private static final String WARMUP = "warmup";

    /** Batches are made so much longer than asked for, so that noise makes none shorter. */
    private static final double MARGIN = 1.05;

    private final Iterations loop;
    private final int inputs;
    private final BatchPlan plan;
    private final LongSupplier clock;
    private final Trust trust;
    private final List<Batch> taken = new ArrayList<>();
    private final SecureRandom chance = new SecureRandom();
    private Loop.Audit audit;
    private long turnIterations = 1;

    /** A loop as it is called once a batch. */
    @FunctionalInterface
    interface Iterations {
        /** Does so many iterations; their checksum. */
        int run(long iterations) throws Exception;
    }

    /** Judgement whether agreement means something yet. */
    @FunctionalInterface
    interface Trust {
        /** Judges {@code last}, the batches that agree, so long after calibrating began. */
        boolean in(List<Batch> last, long sinceNs);
    }

    /** Batches of {@code loop}, which has so many {@code inputs}, by {@code clock}. */
    Batches(Iterations loop, int inputs, BatchPlan plan, LongSupplier clock, Trust trust) {
        this.loop = loop;
        this.inputs = inputs;
        this.plan = plan;
        this.clock = clock;
        this.trust = trust;
    }

    /** Has an audit follow each batch that counts; null: none. These batches. */
    Batches audited(Loop.Audit audit) {
        this.audit = audit;
        return this;
    }

    /** Batches taken so far. */
    List<Batch> taken() {
        return taken;
    }

    /** Takes a turn of the prewarming; whether there may be another. */
    boolean prewarm() throws Exception {
        Batch last = batch(PREWARM, turnIterations);
        if (audit != null) {
            audit.checksum();
        }
        if (last.tookNs() < plan.batchNs()) {
            turnIterations = longer(last);
        }
        return last.iterations() < MOST_ITERATIONS;
    }

    /** Calibrates and warms up, unless the plan gives the iterations; then measures and counts. */
    void measure() throws Exception {
        long iterations = plan.iterations() > 0 ? plan.iterations() : ready();
        for (long i = 0; i < plan.count(); i++) {
            batch("measure", iterations);
            if (audit != null && plan.iterations() == 0) {
                lookAfter(iterations);
            }
        }
        batch("allocation", (long) ALLOCATION_PASSES * inputs);
    }

    private long ready() throws Exception {
        long beganNs = clock.getAsLong();
        long iterations = calibrate();
        // What takes no time never settles either.
        return iterations < MOST_ITERATIONS ? warm(iterations, beganNs) : iterations;
    }

    private long calibrate() throws Exception {
        Batch last = batch(WARMUP, 1);
        while (last.tookNs() < plan.batchNs() && last.iterations() < MOST_ITERATIONS) {
            last = batch(WARMUP, longer(last));
        }
        return last.iterations();
    }

    private long warm(long calibrated, long beganNs) throws Exception {
        int first = taken.size();
        long iterations = calibrated;
        long sinceNs = clock.getAsLong() - beganNs;
        while (sinceNs < plan.warmupNs() && !settled(first, sinceNs)) {
            Batch last = batch(WARMUP, iterations);
            if (last.tookNs() < plan.batchNs()) { // The code became faster.
                iterations = longer(last);
            }
            sinceNs = clock.getAsLong() - beganNs;
        }
        return iterations;
    }

    /** Tells whether the last batches agree, of those from {@code first} on. */
    private boolean settled(int first, long sinceNs) {
        if (taken.size() - first < AGREEING) {
            return false;
        }
        List<Batch> last = taken.subList(taken.size() - AGREEING, taken.size());
        double median = last.stream().mapToDouble(Batch::iterationNs).sorted()
                .skip(AGREEING / 2).findFirst().orElseThrow();
        return trust.in(last, sinceNs) && last.stream().allMatch(
                batch -> Math.abs(batch.iterationNs() - median) <= plan.agree() * median);
    }

    /** Iterations that take as long as asked for, by a batch that took less; whole passes. */
    private long longer(Batch last) {
        double growth = Math.min(MOST_TIMES,
                MARGIN * plan.batchNs() / Math.max(1, last.tookNs()));
        long wanted = (long) Math.ceil(last.iterations() * growth);
        long iterations = Math.max(last.iterations() + 1, wanted);
        if (iterations > inputs) {
            iterations = (iterations + inputs - 1) / inputs * inputs;
        }
        return Math.min(iterations, MOST_ITERATIONS);
    }

    /** Audits after as many iterations as chance wants, so that no call tells when it is one. */
    private void lookAfter(long iterations) throws Exception {
        JvmFigures before = JvmFigures.now();
        long startNs = clock.getAsLong();
        loop.run(chance.nextLong(iterations / AUDITED_PART + 1));
        int checksum = audit.checksum();
        long endNs = clock.getAsLong();
        taken.add(new Batch("audit", startNs, endNs, inputs, checksum, 0,
                JvmFigures.now().since(before)));
    }

    private Batch batch(String phase, long iterations) throws Exception {
        JvmFigures before = JvmFigures.now();
        long allocated = JvmFigures.allocated();
        long startNs = clock.getAsLong();
        int checksum = loop.run(iterations);
        long endNs = clock.getAsLong();
        allocated = JvmFigures.allocated() - allocated;
        Batch batch = new Batch(phase, startNs, endNs, iterations, checksum, allocated,
                JvmFigures.now().since(before));
        taken.add(batch);
        return batch;
    }
}
