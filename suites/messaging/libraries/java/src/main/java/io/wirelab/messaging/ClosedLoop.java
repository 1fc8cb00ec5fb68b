package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLongArray;

/** Steps one after the other; in each, every lane sends its next message when the last one is done. */
final class ClosedLoop {
    private static final long POLL_MS = 1;

    private final Workplace place;
    private final Spec spec;

    ClosedLoop(Workplace place) {
        this.place = place;
        spec = place.spec();
    }

    void run(long startNs) throws IOException, InterruptedException {
        waitUntil(startNs);
        int before = 0;
        List<Spec.Step> steps = spec.schedule().steps();
        for (int number = 0; number < steps.size() && !place.stopped(); number++) {
            Spec.Step step = steps.get(number);
            for (User user : place.users(step.users()).subList(before, step.users())) {
                if (!place.stopped()) {
                    user.join(-1);
                }
            }
            before = step.users();
            new Run(step, number).carryOut();
        }
    }

    private void waitUntil(long startNs) throws InterruptedException {
        long left = startNs - System.nanoTime();
        if (left > 0) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    /** One step under way. */
    private final class Run {
        private final Spec.Step step;
        private final long settleStage;
        private final long stage;
        private final int size;
        private final long counted;
        private final Spec.Timed operation = place.main();
        private final CyclicBarrier settled;
        private final List<Thread> lanes = new ArrayList<>();
        private volatile long beginNs;
        private volatile long deadlineNs;
        /** By lane: the end of its last operation. */
        private final AtomicLongArray endsNs;

        Run(Spec.Step step, int number) {
            this.step = step;
            settleStage = 2L * number + 1;
            stage = 2L * number + 2;
            size = Workplace.messageBytes(step.parameters());
            counted = step.count() - step.settle();
            settled = new CyclicBarrier(step.lanes(), this::begin);
            deadlineNs = deadlineNs(System.nanoTime(), step.settle());
            endsNs = new AtomicLongArray(step.lanes());
        }

        void carryOut() throws IOException, InterruptedException {
            place.deliveries().begin(settleStage, false, step.name(), size, step.users(),
                    step.lanes(), step.settle());
            List<User> users = place.users(step.users());
            for (int number = 0; number < step.lanes(); number++) {
                int lane = number;
                Thread thread = new Thread(() -> perform(users.get(lane), lane), "lane-" + lane);
                thread.setDaemon(true);
                lanes.add(thread);
            }
            lanes.forEach(Thread::start);
            awaitLanes();
            awaitDeliveries();
            // A step that was stopped has not ended: the core hears of those alone that have.
            if (!place.stopped()) {
                end();
            }
        }

        private void perform(User user, int lane) {
            try {
                for (long i = 0; i < step.settle() && going(); i++) {
                    once(user, lane, step.first() + i, settleStage << 32 | i);
                }
                settled.await();
                for (long i = 0; i < counted && going(); i++) {
                    once(user, lane, step.first() + step.settle() + i, stage << 32 | i);
                }
            } catch (IOException | InterruptedException | BrokenBarrierException why) {
                System.err.println("lane " + lane + " ended: " + why);
            }
        }

        private void once(User user, int lane, long tick, long sequence) throws IOException {
            if (place.broadcasts()) {
                endsNs.set(lane, user.send(operation, sequence, size, -1, step.users()));
            } else {
                boolean wanted = tick % step.lanes() == lane
                        && spec.verify().wants(operation.name(), tick);
                endsNs.set(lane, user.echo(operation, sequence, size, -1, wanted ? tick : -1,
                        "measure"));
            }
        }

        /** Of the last lane that has settled, while the others wait for it. */
        private void begin() {
            try {
                awaitDeliveries();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            place.deliveries().begin(stage, true, step.name(), size, step.users(), step.lanes(),
                    counted);
            beginNs = System.nanoTime();
            deadlineNs = deadlineNs(beginNs, counted);
        }

        /** When {@code ticks} from a time on are given up; in 146 years at the latest. */
        private long deadlineNs(long fromNs, long ticks) {
            long atMostNs = spec.schedule().atMostNs(ticks, place.limitNs());
            return fromNs + Math.min(atMostNs, Long.MAX_VALUE / 2);
        }

        private boolean going() {
            return !place.stopped() && System.nanoTime() < deadlineNs;
        }

        private void awaitLanes() throws InterruptedException {
            for (int lane = 0; lane < lanes.size(); lane++) {
                Thread thread = lanes.get(lane);
                thread.join(POLL_MS);
                while (thread.isAlive() && !overdue()) {
                    thread.join(100);
                }
                if (thread.isAlive()) {
                    place.users(0).get(lane).giveUp();
                }
            }
        }

        private boolean overdue() {
            return place.stopped() || System.nanoTime() > deadlineNs + place.limitNs();
        }

        private void awaitDeliveries() throws InterruptedException {
            Deliveries deliveries = place.deliveries();
            while (!deliveries.complete() && going()
                    && System.nanoTime() - deliveries.lastNs() < place.limitNs()) {
                Thread.sleep(POLL_MS);
            }
        }

        private void end() throws IOException {
            if (beginNs == 0) {
                return;
            }
            long endNs = Math.max(beginNs + 1, place.deliveries().lastNs());
            for (int lane = 0; lane < step.lanes(); lane++) {
                endNs = Math.max(endNs, endsNs.get(lane));
            }
            recordUsers(endNs);
            place.deliveries().write(true);
            place.worker().events().step(step.name(), beginNs, endNs);
        }

        private void recordUsers(long endNs) {
            for (Spec.Timed operation : spec.operations().values()) {
                if (operation.due().equals("step")) {
                    for (int user = 0; user < step.users(); user++) {
                        long doneNs = place.deliveries().completedNs(user, counted * step.lanes());
                        Status status = doneNs < 0 ? Status.TIMEOUT : Status.OK;
                        place.worker().recorder().record(beginNs, beginNs,
                                doneNs < 0 ? endNs : doneNs, 0, operation.code(), status.code(),
                                user);
                    }
                }
            }
        }
    }
}
