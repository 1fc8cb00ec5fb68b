package io.wirelab.sdk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The operations of a step, as the contract's <i>Batch loops</i> say. */
final class BatchRunner {
    private final BatchPlan plan;
    private final BatchFile file;
    private final Commands commands;

    BatchRunner(BatchPlan plan, BatchFile file, Commands commands) {
        this.plan = plan;
        this.file = file;
        this.commands = commands;
    }

    /**
     * Runs operations of a step; what was measured is written when all of it is over, because what
     * writes it would be compiled while the next operation is measured.
     */
    void run(Repeated repeated, List<String> operations, Runnable between) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (String operation : operations) {
            runs.add(new Run(repeated, operation));
        }
        if (plan.iterations() == 0) {
            new Prewarming(plan.prewarmNs(), JvmFigures::processorNs, JvmFigures::compilationMs)
                    .run(runs.stream().<Prewarming.Turn>map(run -> run::prewarm).toList());
        }
        for (Run run : runs) {
            run.attempt(() -> run.batches.measure());
            between.run();
        }
        for (Run run : runs) {
            run.write();
        }
    }

    /**
     * The compilers work beside the loop, and batches of equally slow code agree well while better
     * code is still being made. So agreement does not count in the first half of the time, nor
     * while a compilation came to its end.
     */
    private boolean compiled(List<Batch> last, long sinceNs) {
        return sinceNs >= plan.warmupNs() / 2
                && last.stream().allMatch(batch -> batch.cost().compiledMs() == 0);
    }

    /** An operation of a step on its way through the phases. */
    private final class Run {
        private final Repeated repeated;
        private final String operation;
        private Batches batches;
        private Throwable failure;

        Run(Repeated repeated, String operation) {
            this.repeated = repeated;
            this.operation = operation;
            attempt(() -> {
                Loop loop = repeated.loop(operation);
                batches = new Batches(
                        iterations -> loop.run(iterations, commands), loop.size(), plan,
                        System::nanoTime, BatchRunner.this::compiled).audited(loop.audit());
            });
        }

        /** Takes a turn of the prewarming; whether there may be another. */
        boolean prewarm() {
            boolean[] again = {false};
            attempt(() -> again[0] = batches.prewarm());
            return again[0];
        }

        /** Does {@code part} unless something failed already, or the core said stop. */
        void attempt(Part part) {
            if (failure != null || commands.stopped()) {
                return;
            }
            try {
                part.play();
            } catch (Loop.Stopped stopped) {
                // What was measured before is written nevertheless.
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        void write() throws IOException {
            if (failure != null) {
                file.write(repeated.step(), operation, Failure.of(failure));
            } else if (batches != null) {
                file.write(repeated.step(), operation, batches.taken());
            }
        }
    }

    /** A part of a run. */
    @FunctionalInterface
    private interface Part {
        void play() throws Exception;
    }
}
