package io.wirelab.opcua.milo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;

/**
 * The values of all tags after each change: number n is whole when all have come n times more than
 * at first.
 */
final class Changes {
    private final DataValue[] latest;
    private final long[] came;
    private final Map<Long, CompletableFuture<List<DataValue>>> sets = new HashMap<>();
    private long number;
    private int missing;

    Changes(int items) {
        latest = new DataValue[items];
        came = new long[items];
        missing = items;
    }

    /** The values after a change, once they have all come; asked for once. */
    synchronized CompletableFuture<List<DataValue>> take(long wanted) {
        CompletableFuture<List<DataValue>> set = set(wanted);
        if (set.isDone()) {
            sets.remove(wanted);
        }
        return set;
    }

    /** Takes the next values of some tags. */
    synchronized void put(int[] tags, List<DataValue> values) {
        for (int position = 0; position < tags.length; position++) {
            int tag = tags[position];
            latest[tag] = values.get(position);
            came[tag]++;
            if (came[tag] == number + 1) {
                missing--;
            }
            while (missing == 0) {
                complete();
            }
        }
    }

    private void complete() {
        boolean isAwaited = sets.containsKey(number);
        set(number).complete(List.of(latest.clone()));
        if (isAwaited) {
            sets.remove(number);
        }
        number++;
        missing = (int) Arrays.stream(came).filter(times -> times <= number).count();
    }

    private CompletableFuture<List<DataValue>> set(long wanted) {
        return sets.computeIfAbsent(wanted, key -> new CompletableFuture<>());
    }
}
