package io.wirelab.kv;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Every lane at its intended times, whatever the others and the server do. A lane that is late
 * reads its next batch at once.
 *
 * @param <B> a batch in the library's own form
 */
final class OpenLoop<B> {
    private final Lanes<B> place;
    private final Spec.Schedule schedule;
    private final List<Spec.Step> steps;
    private final List<List<Reader.Batch<B>>> batches = new ArrayList<>();
    private final long zeroNs;
    private final long deadlineNs;

    OpenLoop(Lanes<B> place, long startNs) {
        this.place = place;
        schedule = place.spec().schedule();
        steps = place.steps();
        zeroNs = startNs + schedule.firstNs();
        deadlineNs = zeroNs + schedule.count() * schedule.periodNs()
                + place.spec().limits().operationNs();
        steps.forEach(step -> batches.add(place.reader().batchesOf(step)));
    }

    void run() throws IOException {
        int most = steps.stream().mapToInt(Spec.Step::lanes).max().orElseThrow();
        List<Lane<B>> lanes = place.first(most);
        LaneThreads threads = new LaneThreads(place.worker().commands(), most,
                number -> live(lanes.get(number), number));
        // What began just before the deadline still gets the time of an operation.
        if (!threads.await(deadlineNs + place.spec().limits().operationNs(), place.graceNs())) {
            lanes.forEach(lane -> lane.giveUp(steps.get(steps.size() - 1)));
        }
        place.records().writeAnswers();
    }

    private void live(Lane<B> lane, int number) {
        long shiftNs = schedule.shiftNs(number);
        int before = 0;
        for (int at = 0; at < steps.size(); at++) {
            Spec.Step step = steps.get(at);
            if (number < step.lanes()) {
                long first = step.first() + (number < before ? 0 : step.settle());
                for (long tick = first; tick < step.first() + step.count(); tick++) {
                    if (isDue(tick, shiftNs) && !perform(lane, at, tick, shiftNs)) {
                        return;
                    }
                }
            }
            before = step.lanes();
        }
    }

    private boolean isDue(long tick, long shiftNs) {
        long inCycle = Math.floorMod(tick - shiftNs / schedule.periodNs(), schedule.cycleLength());
        return inCycle < schedule.cycleActive() && place.records().isDue(tick);
    }

    /** One tick of a lane at its time; false when the worker was stopped before. */
    private boolean perform(Lane<B> lane, int at, long tick, long shiftNs) {
        long intendedNs = zeroNs + tick * schedule.periodNs() + shiftNs % schedule.periodNs();
        if (!await(intendedNs)) {
            return false;
        }
        if (System.nanoTime() - deadlineNs < 0) {
            lane.read(batches.get(at), steps.get(at), tick, intendedNs);
        } else {
            lane.miss(steps.get(at), tick, intendedNs);
        }
        return true;
    }

    /** A stop wakes whoever waits here. */
    private boolean await(long intendedNs) {
        while (!place.stopped()) {
            long leftNs = intendedNs - System.nanoTime();
            if (leftNs <= 0) {
                return true;
            }
            LockSupport.parkNanos(this, leftNs);
        }
        return false;
    }
}
