package io.wirelab.opcua.milo;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.stack.core.Stack;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.security.SecurityPolicy;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned;
import org.eclipse.milo.opcua.stack.core.types.enumerated.MessageSecurityMode;
import org.eclipse.milo.opcua.stack.core.types.structured.EndpointDescription;
import org.eclipse.milo.opcua.stack.core.util.EndpointUtil;

/** One session with the server; once opened, Milo itself keeps it up. */
final class Connection {
    private static final String APPLICATION_URI = "urn:wirelab:opcua:client";

    private final String url;
    private final SecurityPolicy policy;
    private final MessageSecurityMode mode;
    private final Settings settings;
    private final FurtherSessions further;
    private volatile OpcUaClient client;
    private volatile boolean opened;
    private CompletableFuture<Void> attempt;

    Connection(Spec spec) throws Exception {
        Fields parameters = spec.parameters();
        url = spec.endpoints().text("server");
        policy = SecurityPolicy.valueOf(parameters.text("security", SecurityPolicy.None.name()));
        boolean secured = policy != SecurityPolicy.None;
        mode = secured ? MessageSecurityMode.valueOf(parameters.text("security_mode"))
                : MessageSecurityMode.None;
        OwnCertificate certificate = secured ? OwnCertificate.in(Path.of(
                spec.facts().objectOrEmpty("certificates").text("client_folder"))) : null;
        // Rounded up: 0 would mean no timeout at all.
        long requestTimeoutMs = (parameters.integer("request_timeout_ns") + 999_999) / 1_000_000;
        long sessionTimeoutMs = parameters.integer("session_timeout_ns", 0) / 1_000_000;
        settings = new Settings(LocalizedText.english("wirelab milo"), APPLICATION_URI,
                Unsigned.uint(requestTimeoutMs),
                sessionTimeoutMs > 0 ? Optional.of(Unsigned.uint(sessionTimeoutMs))
                        : Optional.empty(),
                Optional.ofNullable(certificate), spec.paths().scratch());
        further = new FurtherSessions(this::make);
    }

    /**
     * Opens the session. An attempt still under way is joined: its caller may have given it up,
     * but two at a time would be two sessions.
     */
    synchronized CompletableFuture<Void> open() {
        if (attempt == null || attempt.isDone()) {
            // Finding the endpoints blocks in Milo; its own pool of daemon threads may do that.
            attempt = CompletableFuture.runAsync(this::openNow, Stack.sharedExecutor());
        }
        return attempt;
    }

    /** Makes the client, which finds its endpoint: opening the session then looks for nothing. */
    synchronized void prepare() throws UaException {
        if (client == null) {
            client = make();
        }
    }

    /** Tells whether the session was opened; it may be down, and being reopened, at the moment. */
    boolean opened() {
        return opened;
    }

    /** The client; only after {@link #opened}. */
    OpcUaClient client() {
        return client;
    }

    /** Begins to close the sessions, if there are any. */
    CompletableFuture<?> close() {
        CompletableFuture<?> last = further.closed();
        return client == null ? last
                : last.thenCompose(nothing -> MiloVersion.disconnect(client));
    }

    /** The sessions opened beside this one. */
    FurtherSessions further() {
        return further;
    }

    /** A client that is not connected, which knows its endpoint. */
    private OpcUaClient make() throws UaException {
        return MiloVersion.make(url, this::choose, settings);
    }

    private void openNow() {
        try {
            if (client == null) {
                client = make();
            }
            MiloVersion.connect(client);
            opened = true;
        } catch (UaException failed) {
            throw new CompletionException(failed);
        }
    }

    /** The endpoint of the policy, at the address we were given: servers tell their host's name. */
    private Optional<EndpointDescription> choose(List<EndpointDescription> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> policy.getUri().equals(endpoint.getSecurityPolicyUri()))
                .filter(endpoint -> endpoint.getSecurityMode() == mode)
                .findFirst()
                .map(endpoint -> EndpointUtil.updateUrl(endpoint, EndpointUtil.getHost(url),
                        EndpointUtil.getPort(url)));
    }
}
