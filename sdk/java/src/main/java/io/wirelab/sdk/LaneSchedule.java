package io.wirelab.sdk;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Schedule of lanes, and of users that join: the contract's <em>Steps and lanes</em>. */
public final class LaneSchedule {
    /** The golden ratio in billionths: its multiples are spread evenly, however many. */
    private static final long GOLDEN = 618_033_989;

    private static final long WHOLE = 1_000_000_000;

    private final Spec.Schedule schedule;
    private final long operationNs;
    private final List<Spec.Step> steps;

    /** A tick at which a lane is due, so many nanoseconds after the start. */
    public record Due(Spec.Step step, long tick, long afterNs) {}

    /** The connecting of a user that {@code step} adds, so many nanoseconds after the start. */
    public record Join(Spec.Step step, long afterNs) {}

    /** The schedule of a spec; without steps it has one user, whose lane is due at every tick. */
    public LaneSchedule(Spec spec) {
        this(spec, 1);
    }

    /** The schedule of a spec; without steps it has one lane, and {@code users} users. */
    public LaneSchedule(Spec spec, int users) {
        schedule = spec.schedule();
        operationNs = spec.limits().operationNs();
        steps = schedule.steps().isEmpty()
                ? List.of(new Spec.Step("", 0, schedule.count(), 0, users, 1, 0, spec.parameters()))
                : schedule.steps();
    }

    /**
     * Tells whether lanes wait for their results. Batches, whose loop is closed too, have no lanes.
     */
    public boolean isClosed() {
        return schedule.closed() && !schedule.steps().isEmpty();
    }

    /** The steps; of a schedule that has none, one for all of its ticks. */
    public List<Spec.Step> steps() {
        return steps;
    }

    /** Lanes of the step that has most. */
    public int lanes() {
        return steps.stream().mapToInt(Spec.Step::lanes).max().orElseThrow();
    }

    /** Users of the step that has most. */
    public int users() {
        return steps.stream().mapToInt(Spec.Step::users).max().orElseThrow();
    }

    /** Nanoseconds by which a lane is shifted within its cycle. */
    public long shiftNs(long lane) {
        long cycleNs = schedule.cycleLength() * schedule.periodNs();
        long part = lane % WHOLE * GOLDEN % WHOLE;
        return scaled(cycleNs, part, WHOLE);
    }

    /** The ticks of a lane, in their order; none where no step has it. */
    public Stream<Due> dueTurns(int lane) {
        long shiftNs = shiftNs(lane);
        long firstNs = schedule.firstNs() + shiftNs % schedule.periodNs();
        return IntStream.range(0, steps.size()).boxed().flatMap(number -> {
            Spec.Step step = steps.get(number);
            return ticksOf(lane, number)
                    .filter(tick -> isActive(tick, shiftNs / schedule.periodNs()))
                    .mapToObj(tick -> new Due(step, tick, firstNs + tick * schedule.periodNs()));
        });
    }

    /** Lanes that a step adds are due when it has settled. */
    private LongStream ticksOf(int lane, int number) {
        Spec.Step step = steps.get(number);
        if (lane >= step.lanes()) {
            return LongStream.empty();
        }
        int before = number == 0 ? 0 : steps.get(number - 1).lanes();
        return LongStream.range(step.first() + (lane < before ? 0 : step.settle()),
                step.first() + step.count());
    }

    private boolean isActive(long tick, long shiftTicks) {
        long inCycle = Math.floorMod(tick - shiftTicks, schedule.cycleLength());
        return inCycle < schedule.cycleActive();
    }

    /** Step and time at which a user of an open loop is to connect; empty where no step has it. */
    public Optional<Join> joinOf(int user) {
        int before = 0;
        for (Spec.Step step : steps) {
            if (user < step.users()) {
                long beginNs = schedule.firstNs() + step.first() * schedule.periodNs();
                long shareNs = scaled(step.joinNs(), user - before, step.users() - before);
                return Optional.of(new Join(step, beginNs + shareNs));
            }
            before = step.users();
        }
        return Optional.empty();
    }

    /** {@code ns * part / whole}, in two parts: the product may be beyond 64 bits. */
    private static long scaled(long ns, long part, long whole) {
        return ns / whole * part + ns % whole * part / whole;
    }

    /** Nanoseconds after the start within which everything due has ended, or is given up. */
    public long endNs() {
        return saturated(schedule.firstNs(), schedule.count());
    }

    /** Nanoseconds that {@code ticks} of a closed loop may take. */
    public long atMostNs(long ticks) {
        return saturated(0, ticks);
    }

    /** The limit of an operation after so many periods; the most that there is where it is more. */
    private long saturated(long firstNs, long ticks) {
        try {
            long lastNs = Math.addExact(firstNs, Math.multiplyExact(ticks, schedule.periodNs()));
            return Math.addExact(lastNs, operationNs);
        } catch (ArithmeticException beyond) {
            return Long.MAX_VALUE;
        }
    }
}
