package io.wirelab.harness;

import io.wirelab.sdk.Client;
import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Does nothing at a tick, or records a batch of samples. */
final class HarnessClient implements Client {
    private static final String NOTHING = "nothing";
    static final String BATCH = "batch";
    static final List<String> OPERATIONS = List.of(NOTHING, BATCH);
    static final Map<String, String> LIBRARY =
            Map.of("name", "wirelab-sdk-java", "version", "0.1.0");

    private static final CompletionStage<Outcome> DONE =
            CompletableFuture.completedFuture(Outcome.OK);

    private final Fillers fillers;
    private final Spec.Timed batch;

    HarnessClient(Spec spec) throws IOException {
        batch = spec.operations().get(BATCH);
        fillers = batch == null ? null : new Fillers(spec.paths().scratch());
    }

    @Override
    public List<String> operations() {
        return OPERATIONS;
    }

    @Override
    public Request prepare(String operation, Turn turn) {
        return operation.equals(NOTHING) ? () -> DONE : this::recordBatch;
    }

    @Override
    public Request prepareConnect() {
        return () -> DONE;
    }

    @Override
    public boolean connected() {
        return true;
    }

    @Override
    public Outcome failed(Throwable thrown) {
        return Outcome.failed(Status.ERROR, Fault.ofCall(thrown, ""));
    }

    @Override
    public Map<String, String> library() {
        return LIBRARY;
    }

    @Override
    public List<String> capabilities() {
        return List.of();
    }

    @Override
    public CompletionStage<?> disconnect() {
        if (fillers != null) {
            fillers.close();
        }
        return DONE;
    }

    private CompletionStage<Outcome> recordBatch() {
        fillers.record(batch.items(), batch.code());
        return DONE;
    }
}
