package io.wirelab.sdk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives {@link LaneWork} as the schedule of the spec says, a thread a lane. For the thread that the
 * worker plays its part on.
 *
 * @param <P> what a call takes
 * @param <R> what it returns
 */
public final class ThreadedLanes<P, R> {
    /** After its limit a library has this long to notice. */
    static final long SLACK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Part of the limit of a stop within which libraries let go of calls. */
    private static final int ABANDON_SHARE = 8;

    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long REPORT_AFTER_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Worker worker;
    private final Commands commands;
    private final LaneWork<P, R> work;
    private final LaneSchedule schedule;
    private final LaneRecords records;
    private final List<Spec.Timed> atTicks;
    private final Spec.Timed joins;
    private final Joining joining;
    private final Arrivals arrivals;
    private final List<Lane<P, R>> lanes = new ArrayList<>();

    /** Drives {@code work} on the schedule of the worker's spec. */
    public ThreadedLanes(Worker worker, LaneWork<P, R> work) {
        this(worker, work, new LaneSchedule(worker.spec()));
    }

    /**
     * Drives {@code work} on {@code schedule}.
     *
     * @throws JsonException if the spec has an operation at ticks that the work has not
     */
    public ThreadedLanes(Worker worker, LaneWork<P, R> work, LaneSchedule schedule) {
        this.worker = worker;
        commands = worker.commands();
        this.work = work;
        this.schedule = schedule;
        records = new LaneRecords(worker);
        atTicks = dueAt("tick");
        joins = dueAt("join").stream().findFirst().orElse(LaneCall.UNTIMED_JOIN);
        joining = work.joining().orElse(null);
        arrivals = work.arrivals().orElse(null);
        for (Spec.Timed operation : atTicks) {
            if (!work.operations().contains(operation.name())) {
                throw new JsonException("operations." + operation.name() + ": this client has "
                        + work.operations());
            }
        }
    }

    /**
     * Performs what is verified before timing, as lane 0 of the first step.
     *
     * @throws WorkerFailure if one of them has no answer: what cannot be done once is not timed
     */
    public void preflight() {
        Spec.Step step = schedule.steps().get(0);
        work.begin(step);
        for (Spec.Timed operation : atTicks) {
            int calls = worker.spec().verify().preflight().getOrDefault(operation.name(), 0);
            for (int index = 0; index < calls && !stopped(); index++) {
                preflight(LaneCall.preflight(operation, step, index));
            }
        }
    }

    private void preflight(LaneCall call) {
        P prepared = work.prepare(call);
        Outcome outcome;
        call.start();
        try {
            R result = work.call(prepared, call);
            call.end(System.nanoTime());
            outcome = work.judge(call, result);
        } catch (Exception why) {
            call.end(System.nanoTime());
            outcome = work.explain(call, why);
        }
        if (outcome.answer() != null) {
            records.writeAnswer(call, outcome);
        } else if (!stopped()) {
            throw new WorkerFailure(call.operation().name(), outcome.faults().stream().findFirst()
                    .orElse(new Fault(Fault.Scope.CALL, "NoAnswer", "",
                            "the preflight brought no answer to verify")));
        }
    }

    /** Waits for {@code start} and carries out the schedule, or what there is of it until a stop. */
    public void run() throws Exception {
        if (!schedule.isClosed()) {
            schedule.steps().forEach(work::begin);
        }
        OptionalLong start = commands.awaitStart();
        if (start.isEmpty()) {
            return;
        }
        long startNs = start.getAsLong();
        worker.reportFrom(startNs + REPORT_AFTER_NS);
        work.starts(startNs);
        if (!schedule.isClosed()) {
            new OpenLoop<>(this, startNs).run();
        } else if (Ticker.until(startNs, this::stopped)) {
            new ClosedLoop<>(this).run();
        }
    }

    /** The first {@code count} lanes; for one thread. */
    List<Lane<P, R>> lanes(int count) {
        while (lanes.size() < count) {
            lanes.add(new Lane<>(work, records, lanes.size()));
        }
        return List.copyOf(lanes.subList(0, count));
    }

    /**
     * Gives up the calls that do not end, and returns them. Their libraries let go of them side by
     * side: one that hangs there too must keep neither the others nor a stop waiting.
     */
    List<LaneCall> abandon() throws InterruptedException {
        List<LaneCall> hanging =
                lanes.stream().map(Lane::giveUp).filter(Objects::nonNull).toList();
        BoundedCalls.within(worker.spec().limits().stopNs() / ABANDON_SHARE, "letting go of a call",
                hanging.stream().<BoundedCalls.Task>map(call -> () -> work.abandon(call.lane()))
                        .toList());
        return hanging;
    }

    /** Records a call for which there is no time any more. Always true: the lane goes on. */
    boolean miss(LaneCall call) {
        records.giveUp(call, false);
        return true;
    }

    /** Begins to count what comes, where anything does. */
    void beginPhase(Spec.Step step, boolean counts) {
        if (arrivals != null) {
            arrivals.begin(step, counts);
        }
    }

    /** Waits for what calls were to bring, until the deadline or so long after the last of it. */
    void awaitArrivals(long deadlineNs) {
        long limitNs = worker.spec().limits().operationNs();
        while (arrivals != null && !stopped() && !arrivals.complete()
                && System.nanoTime() - deadlineNs < 0
                && System.nanoTime() - arrivals.lastNs() < limitNs) {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** A deadline so long after a time; in 146 years at the latest. */
    long after(long ns, long lasting) {
        return ns + Math.min(lasting, Long.MAX_VALUE / 2);
    }

    /** Operations that are due so, in the order of their codes. */
    List<Spec.Timed> dueAt(String due) {
        return worker.spec().operations().values().stream()
                .filter(operation -> operation.due().equals(due))
                .filter(operation -> operation.record().equals("samples"))
                .sorted(Comparator.comparingInt(Spec.Timed::code))
                .toList();
    }

    boolean stopped() {
        return commands.stopped();
    }

    Worker worker() {
        return worker;
    }

    LaneWork<P, R> work() {
        return work;
    }

    LaneSchedule schedule() {
        return schedule;
    }

    LaneRecords records() {
        return records;
    }

    List<Spec.Timed> atTicks() {
        return atTicks;
    }

    /** The operation by which users connect. */
    Spec.Timed joins() {
        return joins;
    }

    /** Null where users share what was connected before. */
    Joining joining() {
        return joining;
    }

    /** Null where calls bring nothing to others. */
    Arrivals arrivals() {
        return arrivals;
    }
}
