package io.wirelab.sdk;

/** How users connect; recorded where the spec has an operation that is due at joins. */
@FunctionalInterface
public interface Joining {

    /**
     * Connects user {@code call.lane()}.
     *
     * @throws Exception as the library says it
     */
    void join(LaneCall call) throws Exception;
}
