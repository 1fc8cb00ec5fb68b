package io.wirelab.opcua.milo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.sdk.client.api.config.OpcUaClientConfig;
import org.eclipse.milo.opcua.sdk.client.api.config.OpcUaClientConfigBuilder;
import org.eclipse.milo.opcua.sdk.client.api.subscriptions.UaMonitoredItem;
import org.eclipse.milo.opcua.sdk.client.api.subscriptions.UaSubscription;
import org.eclipse.milo.opcua.stack.client.security.DefaultClientCertificateValidator;
import org.eclipse.milo.opcua.stack.core.AttributeId;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.security.DefaultTrustListManager;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned;
import org.eclipse.milo.opcua.stack.core.types.enumerated.MonitoringMode;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.EndpointDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoredItemCreateRequest;
import org.eclipse.milo.opcua.stack.core.types.structured.MonitoringParameters;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;
import org.eclipse.milo.opcua.stack.core.util.validation.ValidationCheck;

/** Calls of this version of Milo that are not those of another one. */
final class MiloVersion {
    private MiloVersion() {}

    /** A client that is not connected, which knows its endpoint. */
    static OpcUaClient make(String url,
            Function<List<EndpointDescription>, Optional<EndpointDescription>> choose,
            Settings settings) throws UaException {
        return OpcUaClient.create(url, choose, config -> configured(config, settings));
    }

    private static OpcUaClientConfig configured(OpcUaClientConfigBuilder config,
            Settings settings) {
        config.setApplicationName(settings.name())
                .setApplicationUri(settings.uri())
                .setRequestTimeout(settings.requestTimeout());
        settings.sessionTimeout().ifPresent(config::setSessionTimeout);
        settings.certificate().ifPresent(own -> config.setKeyPair(own.keyPair())
                .setCertificate(own.certificate())
                .setCertificateChain(own.chain())
                // All checks; revocation lists exist for issuers alone.
                .setCertificateValidator(new DefaultClientCertificateValidator(
                        trusting(own, settings), ValidationCheck.ALL_OPTIONAL_CHECKS)));
        return config.build();
    }

    /** This version has no list in memory: a folder that it watches. */
    private static DefaultTrustListManager trusting(OwnCertificate own, Settings settings) {
        try {
            DefaultTrustListManager list =
                    new DefaultTrustListManager(settings.scratch().resolve("pki").toFile());
            list.setTrustedCertificates(List.of(own.trusted()));
            return list;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void connect(OpcUaClient client) throws UaException {
        awaited(client.connect());
    }

    static CompletableFuture<?> connectAsync(OpcUaClient client) {
        return client.connect();
    }

    static CompletableFuture<?> disconnect(OpcUaClient client) {
        return client.disconnect();
    }

    static CompletableFuture<List<DataValue>> read(OpcUaClient client, double maxAge,
            TimestampsToReturn timestamps, List<ReadValueId> items) {
        return client.read(maxAge, timestamps, items)
                .thenApply(ReadResponse::getResults)
                .thenApply(MiloVersion::listed);
    }

    static CompletableFuture<List<StatusCode>> write(OpcUaClient client, List<WriteValue> items) {
        return client.write(items)
                .thenApply(WriteResponse::getResults)
                .thenApply(MiloVersion::listed);
    }

    /** Has the server tell of new values of tags, sampled as often as it publishes. May block. */
    static void subscribe(OpcUaClient client, int[] tags, double intervalMs, int queue,
            Changes changes) throws UaException {
        UaSubscription subscription =
                awaited(client.getSubscriptionManager().createSubscription(intervalMs));
        List<MonitoredItemCreateRequest> wanted = Arrays.stream(tags)
                .mapToObj(tag -> new MonitoredItemCreateRequest(
                        new ReadValueId(Tags.node(tag), AttributeId.Value.uid(), null,
                                QualifiedName.NULL_VALUE),
                        MonitoringMode.Reporting,
                        new MonitoringParameters(subscription.nextClientHandle(), intervalMs, null,
                                Unsigned.uint(queue), true)))
                .toList();
        // Before the first value can come.
        UaSubscription.ItemCreationCallback made = (item, position) -> item.setValueConsumer(
                (DataValue value) -> changes.put(new int[] {tags[position]}, List.of(value)));
        for (UaMonitoredItem item : awaited(
                subscription.createMonitoredItems(TimestampsToReturn.Source, wanted, made))) {
            if (!item.getStatusCode().isGood()) {
                throw new UaException(item.getStatusCode());
            }
        }
    }

    private static <T> List<T> listed(T[] results) {
        return results == null ? List.of() : Arrays.asList(results);
    }

    private static <T> T awaited(CompletableFuture<T> result) throws UaException {
        try {
            return result.get();
        } catch (ExecutionException failed) {
            throw UaException.extract(failed).orElseGet(() -> new UaException(failed.getCause()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UaException(StatusCodes.Bad_Shutdown, stopped);
        }
    }
}
