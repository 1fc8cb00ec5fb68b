package io.wirelab.opcua.milo;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.sdk.client.OpcUaClientConfigBuilder;
import org.eclipse.milo.opcua.sdk.client.subscriptions.MonitoredItemServiceOperationResult;
import org.eclipse.milo.opcua.sdk.client.subscriptions.OpcUaMonitoredItem;
import org.eclipse.milo.opcua.sdk.client.subscriptions.OpcUaSubscription;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.security.DefaultClientCertificateValidator;
import org.eclipse.milo.opcua.stack.core.security.MemoryCertificateQuarantine;
import org.eclipse.milo.opcua.stack.core.security.MemoryTrustListManager;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned;
import org.eclipse.milo.opcua.stack.core.types.enumerated.TimestampsToReturn;
import org.eclipse.milo.opcua.stack.core.types.structured.EndpointDescription;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.ReadValueId;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteResponse;
import org.eclipse.milo.opcua.stack.core.types.structured.WriteValue;
import org.eclipse.milo.opcua.stack.core.util.Lists;
import org.eclipse.milo.opcua.stack.core.util.validation.ValidationCheck;

/** Calls of this version of Milo that are not those of another one. */
final class MiloVersion {
    private MiloVersion() {}

    /** A client that is not connected, which knows its endpoint. */
    static OpcUaClient make(String url,
            Function<List<EndpointDescription>, Optional<EndpointDescription>> choose,
            Settings settings) throws UaException {
        return OpcUaClient.create(url, choose, transport -> {}, config -> configure(config, settings));
    }

    private static void configure(OpcUaClientConfigBuilder config, Settings settings) {
        config.setApplicationName(settings.name())
                .setApplicationUri(settings.uri())
                .setRequestTimeout(settings.requestTimeout());
        settings.sessionTimeout().ifPresent(config::setSessionTimeout);
        settings.certificate().ifPresent(own -> {
            MemoryTrustListManager list = new MemoryTrustListManager();
            list.setTrustedCertificates(List.of(own.trusted()));
            config.setKeyPair(own.keyPair())
                    .setCertificate(own.certificate())
                    .setCertificateChain(own.chain())
                    // All checks; revocation lists exist for issuers alone.
                    .setCertificateValidator(new DefaultClientCertificateValidator(list,
                            ValidationCheck.ALL_OPTIONAL_CHECKS, new MemoryCertificateQuarantine()));
        });
    }

    static void connect(OpcUaClient client) throws UaException {
        client.connect();
    }

    static CompletableFuture<?> connectAsync(OpcUaClient client) {
        return client.connectAsync();
    }

    static CompletableFuture<?> disconnect(OpcUaClient client) {
        return client.disconnectAsync();
    }

    static CompletableFuture<List<DataValue>> read(OpcUaClient client, double maxAge,
            TimestampsToReturn timestamps, List<ReadValueId> items) {
        return client.readAsync(maxAge, timestamps, items)
                .thenApply(ReadResponse::getResults)
                .thenApply(Lists::ofNullable);
    }

    static CompletableFuture<List<StatusCode>> write(OpcUaClient client, List<WriteValue> items) {
        return client.writeAsync(items)
                .thenApply(WriteResponse::getResults)
                .thenApply(Lists::ofNullable);
    }

    /** Has the server tell of new values of tags, sampled as often as it publishes. May block. */
    static void subscribe(OpcUaClient client, int[] tags, double intervalMs, int queue,
            Changes changes) throws UaException {
        OpcUaSubscription subscription = new OpcUaSubscription(client, intervalMs);
        subscription.setSubscriptionListener(new OpcUaSubscription.SubscriptionListener() {
            @Override
            public void onDataReceived(OpcUaSubscription from, List<OpcUaMonitoredItem> items,
                    List<DataValue> values) {
                changes.put(items.stream().mapToInt(MiloVersion::tagOf).toArray(), values);
            }
        });
        subscription.create();
        for (int tag : tags) {
            OpcUaMonitoredItem item = OpcUaMonitoredItem.newDataItem(Tags.node(tag));
            item.setSamplingInterval(intervalMs);
            item.setQueueSize(Unsigned.uint(queue));
            item.setUserObject(tag);
            subscription.addMonitoredItem(item);
        }
        for (MonitoredItemServiceOperationResult made : subscription.createMonitoredItems()) {
            if (!made.isGood()) {
                throw new UaException(made.operationResult().orElse(made.serviceResult()));
            }
        }
    }

    private static int tagOf(OpcUaMonitoredItem item) {
        return (Integer) item.getUserObject().orElseThrow();
    }
}
