package io.wirelab.kv;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Steps one after the other; in each, every lane reads its next batch when the last one is there:
 * by itself, or with {@code barrier} in rounds that all lanes begin together.
 *
 * @param <B> a batch in the library's own form
 */
final class ClosedLoop<B> {
    private final Lanes<B> place;
    private final Spec spec;

    ClosedLoop(Lanes<B> place) {
        this.place = place;
        spec = place.spec();
    }

    void run() throws IOException {
        for (Spec.Step step : place.steps()) {
            if (!place.stopped()) {
                new Run(step).carryOut();
            }
        }
    }

    /** One step under way. */
    private final class Run {
        private final Spec.Step step;
        private final List<Reader.Batch<B>> batches;
        private final List<Lane<B>> lanes;
        private final boolean inRounds;
        private final CyclicBarrier gate;
        /** Of the gate: only changed while all lanes wait there. */
        private long opened;
        private volatile boolean goesOn = true;
        private volatile long beginNs;
        private volatile long deadlineNs;

        Run(Spec.Step step) {
            this.step = step;
            batches = place.reader().batchesOf(step);
            lanes = place.first(step.lanes());
            inRounds = step.parameters().has("barrier") && step.parameters().flag("barrier");
            gate = new CyclicBarrier(step.lanes(), this::open);
            deadlineNs = lastNs(step.settle());
        }

        /** When {@code ticks} from now on are given up; in 146 years at the latest. */
        private long lastNs(long ticks) {
            long atMostNs = spec.schedule().atMostNs(ticks, spec.limits().operationNs());
            return System.nanoTime() + Math.min(atMostNs, Long.MAX_VALUE / 2);
        }

        void carryOut() throws IOException {
            LaneThreads threads = new LaneThreads(place.worker().commands(), step.lanes(),
                    this::live);
            // Lanes end themselves at the deadline; their last reads may take another limit.
            long mostNs = lastNs(step.count()) + 2 * spec.limits().operationNs();
            if (!threads.await(mostNs, place.graceNs())) {
                lanes.forEach(lane -> lane.giveUp(step));
            }
            place.records().writeAnswers();
            // A step that was stopped has not ended: the core hears of those alone that have.
            if (!place.stopped() && beginNs != 0) {
                long endNs = Math.max(beginNs + 1, place.records().lastNs());
                place.worker().events().step(step.name(), beginNs, endNs);
            }
        }

        private void live(int number) {
            Lane<B> lane = lanes.get(number);
            try {
                for (long done = 0; done < step.count(); done++) {
                    if (inRounds || done == step.settle()) {
                        gate.await();
                    }
                    if (!(inRounds ? goesOn : isGoing())) {
                        return;
                    }
                    long tick = step.first() + done;
                    if (place.records().isDue(tick)) {
                        lane.read(batches, step, tick, -1);
                    }
                }
            } catch (InterruptedException | BrokenBarrierException ended) {
                return;
            } finally {
                leave();
            }
        }

        /** A lane that ends before its time lets those go who would wait for it. */
        private void leave() {
            if (place.stopped() || !isGoing()) {
                gate.reset();
            }
        }

        /** Of one lane, while all others wait: whether they go on must be the same for all. */
        private void open() {
            try {
                place.records().writeAnswers();
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
            goesOn = isGoing();
            if (opened == (inRounds ? step.settle() : 0)) {
                beginNs = System.nanoTime();
                deadlineNs = lastNs(step.count() - step.settle());
            }
            opened++;
        }

        private boolean isGoing() {
            return !place.stopped() && System.nanoTime() - deadlineNs < 0;
        }
    }
}
