package io.wirelab.opcua.milo;

import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;

/** One Read of many tags: always the same items, so the list of them is made once. */
final class NodesToRead {
    private static final double MAX_AGE = 0;
    private static final NodeId UNKNOWN = new NodeId(1, "no-such-tag");
    private static final int UNKNOWN_POSITION = 3;

    private final List<NodeId> nodes;
    private final List<ReadValueId> items;
    /**
     * True for a server of the user's own: values of any type, and nobody knows what they must be.
     */
    private final boolean own;

    private NodesToRead(List<NodeId> nodes, boolean own) {
        this.nodes = nodes;
        this.own = own;
        items = nodes.stream()
                .map(node -> new ReadValueId(node, AttributeId.Value.uid(), null,
                        QualifiedName.NULL_VALUE))
                .toList();
    }

    /** The first {@code count} tags; {@code withUnknown}: one of them is not there. */
    static NodesToRead ofTags(int count, boolean withUnknown) {
        return new NodesToRead(IntStream.range(0, count)
                .mapToObj(index -> withUnknown && index == UNKNOWN_POSITION
                        ? UNKNOWN : Tags.node(index))
                .toList(), false);
    }

    /** The nodes of a file, one on each line. */
    static NodesToRead ofList(String file) throws IOException {
        return new NodesToRead(Files.readAllLines(Path.of(file)).stream()
                .map(NodeId::parse).toList(), true);
    }

    /** The list of the server's stand-in, where it has one. */
    static String listIn(Spec spec) {
        return spec.facts().objectOrEmpty("server").text("node_list", "");
    }

    CompletableFuture<Outcome> send(OpcUaClient client) {
        return fetch(client).thenApply(this::judge);
    }

    /** Fetches what the items have at this time. */
    CompletableFuture<List<DataValue>> fetch(OpcUaClient client) {
        return MiloVersion.read(client, MAX_AGE, TimestampsToReturn.Source, items);
    }

    /** Outcome of having got these, every one's status looked at. */
    Outcome judge(List<DataValue> values) {
        ItemStatuses statuses = new ItemStatuses(nodes, values.size(),
                position -> values.get(position).getStatusCode());
        return statuses.judge(() -> answer(values, statuses));
    }

    private Map<String, Object> answer(List<DataValue> values, ItemStatuses statuses) {
        if (own) {
            long valued = values.stream().filter(value -> value.getValue().getValue() != null).count();
            return Map.of("valued", valued, "bad", statuses.bad());
        }
        List<Object> good = new ArrayList<>(values.size());
        for (DataValue value : values) {
            good.add(value.getStatusCode().isGood() ? value.getValue().getValue() : null);
        }
        return Map.of("values", good, "bad", statuses.bad());
    }
}
