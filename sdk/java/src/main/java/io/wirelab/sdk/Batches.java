package io.wirelab.sdk;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The batches of one loop: prewarmed by turns, calibrated, warmed up, measured, counted for what they allocate. */
final class Batches {
    private static final int MOST_TIMES = 10;
    private static final long MOST_ROUNDS = 1_000_000_000_000L;
    private static final int AGREEING = 3;
    private static final int COUNTED_PASSES = 4;

    /** A batch is longer by this much than the most rounds before its audit. */
    private static final int AUDITED_PART = 8;

    private static final String PREWARM = "prewarm";
    private static final String WARMUP = "warmup";

    /** Batches are made so much longer than asked for, so that noise makes none shorter. */
    private static final double MARGIN = 1.05;

    private final Rounds loop;
    private final int inputs;
    private final BatchPlan plan;
    private final LongSupplier clock;
    private final Trust trust;
    private final List<Batch> taken = new ArrayList<>();
    private final SecureRandom chance = new SecureRandom();
    private Loop.Audit audit;
    private long turnRounds = 1;

    /** A loop as it is called once a batch. */
    @FunctionalInterface
    interface Rounds {
        /** Works so many rounds; their checksum. */
        int run(long rounds) throws Exception;
    }

    /** Whether agreement means something yet. */
    @FunctionalInterface
    interface Trust {
        /** Of {@code last}, the batches that agree, so long after calibrating began. */
        boolean in(List<Batch> last, long sinceNs);
    }

    /** Batches of {@code loop}, which has so many {@code inputs}, by {@code clock}. */
    Batches(Rounds loop, int inputs, BatchPlan plan, LongSupplier clock, Trust trust) {
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

    /** All that were taken so far. */
    List<Batch> taken() {
        return taken;
    }

    /** Takes a turn of the prewarming; whether there may be another. */
    boolean prewarm() throws Exception {
        Batch last = batch(PREWARM, turnRounds);
        if (audit != null) {
            audit.checksum();
        }
        if (last.tookNs() < plan.batchNs()) {
            turnRounds = longer(last);
        }
        return last.rounds() < MOST_ROUNDS;
    }

    /** Calibrates and warms up, unless the plan gives the rounds; then measures and counts. */
    void measure() throws Exception {
        long rounds = plan.rounds() > 0 ? plan.rounds() : ready();
        for (long i = 0; i < plan.count(); i++) {
            batch("measure", rounds);
            if (audit != null && plan.rounds() == 0) {
                lookAfter(rounds);
            }
        }
        batch("allocation", (long) COUNTED_PASSES * inputs);
    }

    private long ready() throws Exception {
        long beganNs = clock.getAsLong();
        long rounds = calibrate();
        // What takes no time never settles either.
        return rounds < MOST_ROUNDS ? warm(rounds, beganNs) : rounds;
    }

    private long calibrate() throws Exception {
        Batch last = batch(WARMUP, 1);
        while (last.tookNs() < plan.batchNs() && last.rounds() < MOST_ROUNDS) {
            last = batch(WARMUP, longer(last));
        }
        return last.rounds();
    }

    private long warm(long calibrated, long beganNs) throws Exception {
        int first = taken.size();
        long rounds = calibrated;
        long sinceNs = clock.getAsLong() - beganNs;
        while (sinceNs < plan.warmupNs() && !settled(first, sinceNs)) {
            Batch last = batch(WARMUP, rounds);
            if (last.tookNs() < plan.batchNs()) { // The code became faster.
                rounds = longer(last);
            }
            sinceNs = clock.getAsLong() - beganNs;
        }
        return rounds;
    }

    /** Whether the last batches agree, of those from {@code first} on. */
    private boolean settled(int first, long sinceNs) {
        if (taken.size() - first < AGREEING) {
            return false;
        }
        List<Batch> last = taken.subList(taken.size() - AGREEING, taken.size());
        double median = last.stream().mapToDouble(Batch::roundNs).sorted()
                .skip(AGREEING / 2).findFirst().orElseThrow();
        return trust.in(last, sinceNs) && last.stream().allMatch(
                batch -> Math.abs(batch.roundNs() - median) <= plan.agree() * median);
    }

    /** Rounds that take as long as asked for, by a batch that took less; whole passes. */
    private long longer(Batch last) {
        double growth = Math.min(MOST_TIMES,
                MARGIN * plan.batchNs() / Math.max(1, last.tookNs()));
        long rounds = Math.max(last.rounds() + 1, (long) Math.ceil(last.rounds() * growth));
        if (rounds > inputs) {
            rounds = (rounds + inputs - 1) / inputs * inputs;
        }
        return Math.min(rounds, MOST_ROUNDS);
    }

    /** Audits after as many rounds as chance wants, so that no call tells when it is one. */
    private void lookAfter(long rounds) throws Exception {
        JvmFigures before = JvmFigures.now();
        long startNs = clock.getAsLong();
        loop.run(chance.nextLong(rounds / AUDITED_PART + 1));
        int checksum = audit.checksum();
        long endNs = clock.getAsLong();
        taken.add(new Batch("audit", startNs, endNs, inputs, checksum, 0,
                JvmFigures.now().since(before)));
    }

    private Batch batch(String phase, long rounds) throws Exception {
        JvmFigures before = JvmFigures.now();
        long allocated = JvmFigures.allocated();
        long startNs = clock.getAsLong();
        int checksum = loop.run(rounds);
        long endNs = clock.getAsLong();
        allocated = JvmFigures.allocated() - allocated;
        Batch batch = new Batch(phase, startNs, endNs, rounds, checksum, allocated,
                JvmFigures.now().since(before));
        taken.add(batch);
        return batch;
    }
}
