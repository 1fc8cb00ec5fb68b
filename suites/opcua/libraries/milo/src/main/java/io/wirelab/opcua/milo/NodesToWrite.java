package io.wirelab.opcua.milo;

import io.wirelab.sdk.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;

/** One Write of many tags, with values that belong to a sequence number. */
final class NodesToWrite {
    private final int[] tags;
    private final List<NodeId> nodes;
    private final boolean firstIsWrong;

    /** The first {@code count} written tags; {@code firstIsWrong}: the first one gets a String. */
    NodesToWrite(int count, boolean firstIsWrong) {
        tags = Tags.written(count);
        nodes = Arrays.stream(tags).mapToObj(Tags::node).toList();
        this.firstIsWrong = firstIsWrong;
    }

    /** The items that write the values of {@code sequence}. */
    List<WriteValue> items(long sequence) {
        List<WriteValue> items = new ArrayList<>(tags.length);
        for (int position = 0; position < tags.length; position++) {
            Object value = firstIsWrong && position == 0 ? "not an Int32"
                    : Tags.value(tags[position], sequence);
            // Only the value: a server need not accept a status or a timestamp from a client.
            items.add(new WriteValue(nodes.get(position), AttributeId.Value.uid(), null,
                    DataValue.valueOnly(new Variant(value))));
        }
        return items;
    }

    CompletableFuture<Outcome> send(OpcUaClient client, List<WriteValue> items, long sequence) {
        return MiloVersion.write(client, items).thenApply(codes -> judge(codes, sequence));
    }

    private Outcome judge(List<StatusCode> codes, long sequence) {
        ItemStatuses statuses = new ItemStatuses(nodes, codes.size(), codes::get);
        return statuses.judge(() -> Map.of("sequence", sequence, "bad", statuses.bad()));
    }
}
