package io.wirelab.opcua.milo;

import io.wirelab.sdk.Client;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.PacedClient;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.stack.core.Stack;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;

/**
 * Eclipse Milo as the scenarios use it: bulk reads and writes through the asynchronous calls,
 * which let the read and the write of a tick be under way at the same time.
 */
final class MiloClient implements Client {
    private static final String READ = "read";
    private static final String WRITE = "write";
    private static final String SESSION = "session";
    private static final long MEASURE_SEQUENCE = 1_000_000;
    private static final long PREFLIGHT_SEQUENCE = 900_000;

    /** Name and version of the library, as {@code ready} has them. */
    static final Map<String, String> LIBRARY =
            Map.of("name", "Eclipse Milo", "version", OpcUaClient.SDK_VERSION);

    static final List<String> CAPABILITIES = List.of(
            "security", "subscriptions", "auto-reconnect", "async", "lanes");

    private final Connection connection;
    private final NodesToRead read;
    private final NodesToWrite write;
    /** Null where calls are made at ticks, and nothing is watched. */
    private final Watch watch;

    public static void main(String[] arguments) {
        Worker.main(worker -> {
            boolean hasLanes = !worker.spec().schedule().steps().isEmpty();
            Worker.Part part = hasLanes ? new LaneClient() : PacedClient.of(MiloClient::new);
            part.play(worker);
        });
    }

    MiloClient(Spec spec) throws Exception {
        String probe = spec.parameters().text("probe", READ);
        connection = new Connection(spec);
        String list = NodesToRead.listIn(spec);
        read = list.isEmpty()
                ? NodesToRead.ofTags(items(spec, READ, Tags.COUNT), probe.equals("unknown-node"))
                : NodesToRead.ofList(list);
        write = new NodesToWrite(items(spec, WRITE, Tags.writable()), probe.equals("wrong-type"));
        watch = Watch.of(spec);
    }

    @Override
    public List<String> operations() {
        return List.of(READ, WRITE, SESSION, Watch.NOTIFICATION, Watch.POLL);
    }

    @Override
    public Request prepare(String operation, Turn turn) {
        if (operation.equals(READ)) {
            return () -> read.send(connection.client());
        }
        if (operation.equals(SESSION)) {
            return connection.further().prepareOpen();
        }
        if (operation.equals(Watch.NOTIFICATION) || operation.equals(Watch.POLL)) {
            return () -> watch.await(turn);
        }
        long sequence = turn.index() + switch (turn.phase()) {
            case PREFLIGHT -> PREFLIGHT_SEQUENCE;
            case MEASURE -> MEASURE_SEQUENCE;
        };
        List<WriteValue> items = write.items(sequence);
        return () -> write.send(connection.client(), items, sequence);
    }

    @Override
    public Request prepareConnect() {
        if (watch == null) {
            return () -> connection.open().thenApply(nothing -> Outcome.OK);
        }
        return () -> connection.open().thenApplyAsync(this::beginToWatch, Stack.sharedExecutor());
    }

    private Outcome beginToWatch(Void opened) {
        try {
            watch.begin(connection.client());
        } catch (UaException failed) {
            throw new CompletionException(failed);
        }
        return Outcome.OK;
    }

    @Override
    public boolean connected() {
        return connection.opened();
    }

    @Override
    public Outcome failed(Throwable thrown) {
        return Failures.ofCall(thrown);
    }

    @Override
    public Map<String, String> library() {
        return LIBRARY;
    }

    @Override
    public List<String> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public CompletionStage<?> disconnect() {
        return connection.close();
    }

    /** Items of an operation; 0 where the scenario has no such operation. */
    private static int items(Spec spec, String operation, int most) {
        Spec.Timed timed = spec.operations().get(operation);
        int items = timed == null ? 0 : timed.items();
        if (items > most) {
            throw new IllegalArgumentException("operations." + operation
                    + ".items: expected at most " + most + " tags, found " + items);
        }
        return items;
    }
}
