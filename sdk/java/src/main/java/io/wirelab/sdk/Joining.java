package io.wirelab.sdk;

/** Connecting of users; recorded where the spec has an operation that is due at joins. */
@FunctionalInterface
public interface Joining {

    /**
     * Connects user {@code call.lane()}.
     *
     * @throws Exception as the library says it
     */
    void join(LaneCall call) throws Exception;
}
