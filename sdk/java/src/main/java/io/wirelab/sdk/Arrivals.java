package io.wirelab.sdk;

import java.util.OptionalLong;

/** Arrivals that calls bring to other users after they have ended. From any thread. */
public interface Arrivals {

    /**
     * Begins a phase of a step of a closed loop: settling, or what {@code counts}. What the phase
     * before was to bring has come, or is given up.
     */
    void begin(Spec.Step step, boolean counts);

    /** Tells whether everything has come that the calls so far were to bring. */
    boolean complete();

    /**
     * Time at which the last of the phase came, on CLOCK_MONOTONIC; when it began where none has.
     */
    long lastNs();

    /**
     * Time at which a user had got everything of the phase, on CLOCK_MONOTONIC; empty: it has not.
     */
    OptionalLong completedNs(int user);
}
