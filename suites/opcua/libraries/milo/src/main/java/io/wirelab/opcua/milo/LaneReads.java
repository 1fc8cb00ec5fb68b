package io.wirelab.opcua.milo;

import io.wirelab.sdk.Joining;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;

/** Reads of many callers at a time: in a session that they share, or each in one of its own. */
final class LaneReads implements LaneWork<OpcUaClient, Outcome> {
    private static final String READ = "read";

    private final NodesToRead read;
    private final boolean apart;
    private final List<Connection> connections;

    LaneReads(Spec spec) throws Exception {
        read = NodesToRead.ofTags(spec.operation(READ).items(), false);
        apart = spec.operations().values().stream()
                .anyMatch(operation -> operation.due().equals("join"));
        int users = apart
                ? spec.schedule().steps().stream().mapToInt(Spec.Step::users).max().orElse(1)
                : 1;
        connections = made(spec, users);
    }

    private static List<Connection> made(Spec spec, int users) throws Exception {
        Connection[] all = new Connection[users];
        for (int user = 0; user < users; user++) {
            all[user] = new Connection(spec);
        }
        return List.of(all);
    }

    /** Opens the session that all callers share; gets ready for those that are opened later. */
    void open() throws Exception {
        if (!apart) {
            connections.get(0).open().get();
            return;
        }
        for (Connection connection : connections) {
            connection.prepare();
        }
    }

    /** Begins to leave the server with every session. */
    CompletableFuture<?> close() {
        return CompletableFuture.allOf(connections.stream().map(Connection::close)
                .toArray(CompletableFuture[]::new));
    }

    @Override
    public List<String> operations() {
        return List.of(READ);
    }

    @Override
    public OpcUaClient prepare(LaneCall call) {
        return connections.get(apart ? call.lane() : 0).client();
    }

    /** The end is where the future completes, as with one caller; the lane's thread wakes later. */
    @Override
    public Outcome call(OpcUaClient client, LaneCall call) throws Exception {
        return read.send(client).whenComplete((outcome, failure) -> call.endedAt(System.nanoTime()))
                .get();
    }

    @Override
    public Outcome judge(LaneCall call, Outcome outcome) {
        return outcome;
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        boolean wrapped = thrown instanceof ExecutionException && thrown.getCause() != null;
        return Failures.ofCall(wrapped ? thrown.getCause() : thrown);
    }

    @Override
    public Optional<Joining> joining() {
        return apart ? Optional.of(call -> connections.get(call.lane()).open().get())
                : Optional.empty();
    }
}
