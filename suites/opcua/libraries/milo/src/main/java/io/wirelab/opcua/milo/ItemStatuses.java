package io.wirelab.opcua.milo;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;

/**
 * The statuses of the items of an answered request.
 *
 * @param nodes what was asked for
 * @param count how many results there are
 * @param code the status of the result at a position
 */
record ItemStatuses(List<NodeId> nodes, int count, IntFunction<StatusCode> code) {

    /** Looks at every status, which is part of the timed call. */
    Outcome judge(Supplier<Map<String, Object>> answer) {
        if (count != nodes.size()) {
            return Outcome.failed(Status.WRONG_ANSWER, new Fault(Fault.Scope.CALL, "WrongAnswer",
                    "", "asked for " + nodes.size() + " items, got " + count));
        }
        List<Fault> faults = new ArrayList<>(0);
        for (int position = 0; position < count; position++) {
            StatusCode found = code.apply(position);
            if (!found.isGood()) {
                faults.add(Failures.ofItem(found,
                        "item " + position + ", " + nodes.get(position).toParseableString()));
            }
        }
        return Outcome.answered(faults, answer);
    }

    /** Position and name of each bad item, the name as the standard spells it. */
    List<Object> bad() {
        List<Object> bad = new ArrayList<>();
        for (int position = 0; position < count; position++) {
            StatusCode found = code.apply(position);
            if (!found.isGood()) {
                bad.add(List.of(position, Failures.name(found).replace("_", "")));
            }
        }
        return bad;
    }
}
