package io.wirelab.sdk;

import java.util.List;

/**
 * Every lane at its intended times, one call at a time. A lane that is late performs the next one at
 * once; none is left out. What it has not begun when the time of the schedule is up, it gives up.
 */
final class OpenLoop<P, R> {
    private final ThreadedLanes<P, R> driver;
    private final LaneSchedule schedule;
    private final List<Lane<P, R>> lanes;
    private final long startNs;
    private final long endNs;

    OpenLoop(ThreadedLanes<P, R> driver, long startNs) {
        this.driver = driver;
        this.startNs = startNs;
        schedule = driver.schedule();
        endNs = driver.after(startNs, schedule.endNs());
        lanes = driver.lanes(driver.joining() == null ? schedule.lanes() : schedule.users());
    }

    void run() throws InterruptedException {
        LaneThreads threads = new LaneThreads(driver.worker(), lanes.size(), this::live, left -> {});
        boolean ended = threads.await(() -> endNs + ThreadedLanes.SLACK_NS);
        List<LaneCall> hanging = ended ? List.of() : driver.abandon();
        if (!driver.stopped()) {
            hanging.forEach(this::leaveRest);
        }
        driver.awaitArrivals(endNs);
    }

    /** From joining to the last tick of one user. */
    private void live(int lane) {
        if (join(lane)) {
            schedule.dueTurns(lane).allMatch(due -> perform(lane, due));
        }
    }

    private boolean join(int user) {
        LaneSchedule.Join join = schedule.joinOf(user).orElse(null);
        if (driver.joining() == null || join == null) {
            return true;
        }
        long intendedNs = startNs + join.afterNs();
        LaneCall call = LaneCall.due(driver.joins(), join.step(), LaneCall.JOINING, user,
                intendedNs);
        return Ticker.until(intendedNs, driver::stopped)
                && (isInTime() ? lanes.get(user).join(call, driver.joining()) : driver.miss(call));
    }

    /** One tick of a lane at its time; false when the lane is to end. */
    private boolean perform(int number, LaneSchedule.Due due) {
        long intendedNs = startNs + due.afterNs();
        for (Spec.Timed operation : driver.atTicks()) {
            if (operation.dueAt(due.tick())
                    && !perform(lanes.get(number), LaneCall.due(operation, due.step(), due.tick(),
                            number, intendedNs))) {
                return false;
            }
        }
        return true;
    }

    private boolean perform(Lane<P, R> lane, LaneCall call) {
        if (!isInTime()) {
            return !driver.stopped() && driver.miss(call);
        }
        return Ticker.until(call.intendedNs(), driver::stopped)
                && (isInTime() ? lane.perform(call) : driver.miss(call));
    }

    private boolean isInTime() {
        return System.nanoTime() - endNs < 0;
    }

    /** Gives up what comes after a call of a lane that does not end. */
    private void leaveRest(LaneCall hanging) {
        int lane = hanging.lane();
        int last = driver.atTicks().indexOf(hanging.operation());
        schedule.dueTurns(lane).filter(due -> due.tick() >= hanging.tick()).forEach(due -> {
            for (int number = 0; number < driver.atTicks().size(); number++) {
                Spec.Timed operation = driver.atTicks().get(number);
                boolean isLeft = due.tick() > hanging.tick() || number > last;
                if (isLeft && operation.dueAt(due.tick())) {
                    driver.miss(LaneCall.due(operation, due.step(), due.tick(), lane,
                            startNs + due.afterNs()));
                }
            }
        });
    }
}
