package io.wirelab.sdk;

import java.util.List;
import java.util.OptionalLong;

/**
 * Steps one after the other; in each, every lane performs its next call when the last one has ended:
 * by itself, or in rounds that all lanes begin together.
 */
final class ClosedLoop<P, R> {
    private final ThreadedLanes<P, R> driver;
    private int joined;

    ClosedLoop(ThreadedLanes<P, R> driver) {
        this.driver = driver;
    }

    void run() throws InterruptedException {
        for (Spec.Step step : driver.schedule().steps()) {
            if (driver.stopped()) {
                return;
            }
            join(step);
            driver.work().begin(step);
            new Run(step).carryOut();
        }
    }

    /** Connects the users that a step adds, one after the other. */
    private void join(Spec.Step step) {
        List<Lane<P, R>> users = driver.lanes(step.users());
        for (; driver.joining() != null && joined < step.users() && !driver.stopped(); joined++) {
            LaneCall call = LaneCall.next(driver.joins(), step, LaneCall.JOINING, joined);
            users.get(joined).join(call, driver.joining());
        }
    }

    /** One step under way. */
    private final class Run {
        private final Spec.Step step;
        private final long begins;
        private final List<Lane<P, R>> lanes;
        private final boolean inRounds;
        private final LaneBarrier settled;
        private final LaneBarrier rounds;
        private volatile boolean goesOn = true;
        private volatile long beginNs;
        private volatile long deadlineNs;

        Run(Spec.Step step) {
            this.step = step;
            begins = step.first() + step.settle();
            lanes = driver.lanes(step.lanes());
            inRounds = driver.work().inRounds(step);
            settled = new LaneBarrier(step.lanes(), this::begin);
            rounds = new LaneBarrier(step.lanes(), this::beginRound);
            deadlineNs = latest(step.settle());
        }

        private long latest(long ticks) {
            return driver.after(System.nanoTime(), driver.schedule().atMostNs(ticks));
        }

        void carryOut() throws InterruptedException {
            driver.beginPhase(step, false);
            LaneThreads threads =
                    new LaneThreads(driver.worker(), step.lanes(), this::live, this::leave);
            boolean ended = await(threads);
            if (!ended && beginNs == 0 && !driver.stopped()) {
                // Lanes that hang in settling do not keep the others from the step.
                abandon(threads);
                ended = await(threads);
            }
            if (!ended) {
                abandon(threads);
            }
            driver.awaitArrivals(deadlineNs);
            // A step that was stopped has not ended: the core hears of those alone that have.
            if (!driver.stopped() && beginNs != 0) {
                end();
            }
        }

        private boolean await(LaneThreads threads) {
            return threads.await(() -> deadlineNs + ThreadedLanes.SLACK_NS);
        }

        private void abandon(LaneThreads threads) throws InterruptedException {
            driver.abandon().forEach(call -> threads.leave(call.lane()));
        }

        private void live(int lane) {
            if (perform(lane, step.first(), begins)) {
                settled.await();
                perform(lane, begins, step.first() + step.count());
            }
        }

        /** Performs ticks of a lane; false when it was left behind meanwhile. */
        private boolean perform(int number, long from, long to) {
            Lane<P, R> lane = lanes.get(number);
            Spec.Timed[] operations = driver.atTicks().toArray(Spec.Timed[]::new);
            for (long tick = from; tick < to; tick++) {
                // The first one that counts is begun together in any case.
                if (inRounds && tick != begins) {
                    rounds.await();
                }
                if (!(inRounds ? goesOn : isGoing())) {
                    return true;
                }
                for (Spec.Timed operation : operations) {
                    if (operation.dueAt(tick)
                            && !lane.perform(LaneCall.next(operation, step, tick, number))) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Nobody waits any more for a lane that has left. */
        private void leave(int lane) {
            rounds.leave();
            settled.leave();
        }

        /**
         * Begins a round on one lane, while all others wait: whether they go on must be the same
         * for all.
         */
        private void beginRound() {
            goesOn = isGoing();
        }

        /** Begins to measure on the last lane that has settled, while the others wait for it. */
        private void begin() {
            driver.awaitArrivals(deadlineNs);
            driver.beginPhase(step, true);
            beginNs = System.nanoTime();
            deadlineNs = latest(step.count() - step.settle());
            goesOn = isGoing();
        }

        private boolean isGoing() {
            return !driver.stopped() && System.nanoTime() - deadlineNs < 0;
        }

        private void end() {
            Arrivals arrivals = driver.arrivals();
            long lastNs = lanes.stream().mapToLong(Lane::lastNs).max().orElseThrow();
            long endNs = Math.max(beginNs + 1, lastNs);
            if (arrivals != null) {
                endNs = Math.max(endNs, arrivals.lastNs());
                recordReceipts(arrivals, endNs);
            }
            driver.worker().events().step(step.name(), beginNs, endNs);
        }

        private void recordReceipts(Arrivals arrivals, long endNs) {
            for (Spec.Timed operation : driver.dueAt("step")) {
                for (int user = 0; user < step.users(); user++) {
                    OptionalLong doneNs = arrivals.completedNs(user);
                    Status status = doneNs.isPresent() ? Status.OK : Status.TIMEOUT;
                    driver.records().keepReceipt(operation, user, beginNs,
                            Math.min(doneNs.orElse(endNs), endNs), status);
                }
            }
        }
    }
}
