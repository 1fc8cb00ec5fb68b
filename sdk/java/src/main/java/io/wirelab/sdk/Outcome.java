package io.wirelab.sdk;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Result of a call.
 *
 * @param status how it ended
 * @param faults what went wrong: of a failed call one of scope call, else one for each bad item
 * @param size the payload in bytes where the client knows it, else 0
 * @param answer the exact answer in the suite's form, made only when it is to be written; null
 *     when there is none
 */
public record Outcome(
        Status status, List<Fault> faults, long size, Supplier<Map<String, Object>> answer) {

    /** A call that succeeded and has no answer to verify. */
    public static final Outcome OK = new Outcome(Status.OK, List.of(), 0, null);

    /** A call whose items were all looked at; {@code faults} holds those that are bad. */
    public static Outcome answered(List<Fault> faults, Supplier<Map<String, Object>> answer) {
        return new Outcome(faults.isEmpty() ? Status.OK : Status.ITEM_ERROR, faults, 0, answer);
    }

    /** A call that failed, whatever the library calls it: nothing that failed is {@code OK}. */
    public static Outcome failed(Status status, Fault fault) {
        Status failed = status == Status.OK ? Status.ERROR : status;
        return new Outcome(failed, List.of(fault), 0, null);
    }
}
