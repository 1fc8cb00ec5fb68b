package io.wirelab.opcua.milo;

import io.wirelab.sdk.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;
import org.eclipse.milo.opcua.stack.core.util.Lists;

/** One Read of many tags: always the same items, so the list of them is made once. */
final class ReadBatch {
    private static final double MAX_AGE = 0;
    private static final NodeId UNKNOWN = new NodeId(1, "no-such-tag");
    private static final int UNKNOWN_POSITION = 3;

    private final List<NodeId> nodes;
    private final List<ReadValueId> items;

    /** The first {@code count} tags; {@code withUnknown}: one of them is not there. */
    ReadBatch(int count, boolean withUnknown) {
        nodes = IntStream.range(0, count)
                .mapToObj(index -> withUnknown && index == UNKNOWN_POSITION
                        ? UNKNOWN : Tags.node(index))
                .toList();
        items = nodes.stream()
                .map(node -> new ReadValueId(node, AttributeId.Value.uid(), null,
                        QualifiedName.NULL_VALUE))
                .toList();
    }

    CompletableFuture<Outcome> send(OpcUaClient client) {
        return client.readAsync(MAX_AGE, TimestampsToReturn.Source, items).thenApply(this::judge);
    }

    private Outcome judge(ReadResponse response) {
        List<DataValue> values = Lists.ofNullable(response.getResults());
        ItemStatuses statuses = new ItemStatuses(nodes, values.size(),
                position -> values.get(position).statusCode());
        return statuses.judge(() -> answer(values, statuses));
    }

    private static Map<String, Object> answer(List<DataValue> values, ItemStatuses statuses) {
        List<Object> good = new ArrayList<>(values.size());
        for (DataValue value : values) {
            good.add(value.statusCode().isGood() ? value.value().value() : null);
        }
        return Map.of("values", good, "bad", statuses.bad());
    }
}
