package io.wirelab.sdk;

import java.util.List;
import java.util.Optional;

/**
 * Work of lanes, in parts of which one is timed; {@link ThreadedLanes} drives it. A lane is a
 * thread: what has to do with a call may be entered by several of them at a time.
 *
 * @param <P> what a call takes
 * @param <R> what it returns
 */
public interface LaneWork<P, R> {

    /** The operations that it has, among those that are due at ticks. */
    List<String> operations();

    /**
     * Gets ready for a step. In a closed loop nothing is under way; in an open one all steps are
     * announced before the first tick.
     */
    default void begin(Spec.Step step) {}

    /** Hears when tick 0 is, on CLOCK_MONOTONIC; it is still to come. */
    default void starts(long startNs) throws Exception {}

    /**
     * Tells whether the lanes of a closed loop begin each tick together, when all ended the last
     * one.
     */
    default boolean inRounds(Spec.Step step) {
        return false;
    }

    /** Prepares what the call takes, before the clock is read. */
    P prepare(LaneCall call);

    /**
     * Performs the timed part. It must end by itself, at the limit of an operation at the latest,
     * and soon after a stop: nobody can take a thread out of a library, and a lane whose call does
     * not return performs nothing more.
     *
     * @throws Exception as the library says it
     */
    R call(P prepared, LaneCall call) throws Exception;

    /** Tells status, size and answer of what a call returned, after the clock was read. */
    Outcome judge(LaneCall call, R result);

    /** Puts what a call threw into the words of its library. */
    Outcome explain(LaneCall call, Throwable thrown);

    /**
     * Lets go of what the lane waits for: its call has no end, and is recorded as a timeout. From
     * another thread than the lane's, which is still in the call: it comes back when the library
     * has nothing left to wait for.
     */
    default void abandon(int lane) {}

    /** Connecting of users, where each has a connection of its own. */
    default Optional<Joining> joining() {
        return Optional.empty();
    }

    /** Arrivals that calls bring to other users, where they bring anything. */
    default Optional<Arrivals> arrivals() {
        return Optional.empty();
    }
}
