package io.wirelab.opcua.milo;

import io.wirelab.sdk.Client;
import io.wirelab.sdk.Outcome;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;

/**
 * One more session at a time, with a channel of its own: opened in the timed part, closed after
 * it. The client is made once, so that no endpoint is looked for while time is taken.
 */
final class FurtherSessions {
    private final Callable<OpcUaClient> maker;
    private OpcUaClient client;
    private CompletableFuture<?> closed = CompletableFuture.completedFuture(null);

    FurtherSessions(Callable<OpcUaClient> maker) {
        this.maker = maker;
    }

    /** Prepares opening the next one. */
    Client.Request prepareOpen() {
        if (client == null) {
            try {
                client = maker.call();
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        }
        return this::open;
    }

    /** Future that ends when the last one has been closed. */
    CompletableFuture<?> closed() {
        return closed;
    }

    private CompletableFuture<Outcome> open() {
        CompletableFuture<Outcome> opened = closed.thenCompose(nothing -> MiloVersion.connectAsync(client))
                .thenApply(connected -> Outcome.OK);
        closed = opened.handle((outcome, failure) -> null)
                .thenCompose(nothing -> MiloVersion.disconnect(client))
                .handle((disconnected, failure) -> null);
        return opened;
    }
}
