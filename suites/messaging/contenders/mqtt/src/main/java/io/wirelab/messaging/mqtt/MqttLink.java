package io.wirelab.messaging.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.wirelab.messaging.Awaited;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Waiting;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A user who has subscribed to a topic of its own, and where others send to that of all. */
final class MqttLink implements Link {
    private static final MqttTopic ALL = MqttTopic.of("wirelab/all");

    /** The library has no way to leave without a word, and a broker that is gone takes none. */
    private static final long GOODBYE_MS = 200;

    private final Mqtt5AsyncClient client;
    private final MqttQos qos;
    private final long limitNs;
    private final Inbox inbox;
    private final MqttTopic own;
    private final PendingEcho<Long> pending = new PendingEcho<>();
    private long calls;

    MqttLink(Mqtt5AsyncClient client, MqttQos qos, long limitNs, Inbox inbox) {
        this.client = client;
        this.qos = qos;
        this.limitNs = limitNs;
        this.inbox = inbox;
        own = MqttTopic.of("wirelab/echo/" + client.getConfig().getClientIdentifier().orElseThrow());
    }

    /** Connects and subscribes; both are acknowledged when this returns. */
    @Override
    public void join() throws Exception {
        await(client.connect());
        subscribe(own);
        if (inbox != null) {
            subscribe(ALL);
        }
    }

    private void subscribe(MqttTopic topic) throws Exception {
        await(client.subscribeWith().topicFilter(topic.filter()).qos(qos).send());
    }

    /** Takes a message of a subscription; called by the library. */
    void received(Mqtt5Publish publish) {
        if (publish.getTopic().equals(ALL)) {
            inbox.delivered(publish.getPayloadAsBytes());
            return;
        }
        ByteBuffer id = publish.getCorrelationData().orElse(null);
        if (id != null && id.remaining() == Long.BYTES) {
            pending.answered(id.getLong(id.position()), publish.getPayloadAsBytes());
        }
    }

    /** Fails the call that waits for a message in vain; called by the library. */
    void lost(Throwable why) {
        pending.lost(why);
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        boolean acknowledged = qos != MqttQos.AT_MOST_ONCE;
        Awaited<Long> call = pending.begin(calls++, reply, acknowledged);
        ByteBuffer id = ByteBuffer.allocate(Long.BYTES).putLong(0, call.id());
        Mqtt5Publish publish = Mqtt5Publish.builder()
                .topic(own).qos(qos).correlationData(id).payload(message).build();
        client.publish(publish).whenComplete((result, why) -> {
            Throwable failure = why != null ? why : errorOf(result);
            if (failure != null) {
                reply.failed(failure);
            } else if (acknowledged) {
                call.acknowledged();
            }
        });
    }

    private static Throwable errorOf(Mqtt5PublishResult result) {
        return result.getError().orElse(null);
    }

    @Override
    public void broadcast(byte[] message) throws Exception {
        settle(toAll(message));
    }

    @Override
    public void stream(List<byte[]> messages) throws Exception {
        for (CompletableFuture<Mqtt5PublishResult> sent
                : messages.stream().map(this::toAll).toList()) {
            settle(sent);
        }
    }

    private CompletableFuture<Mqtt5PublishResult> toAll(byte[] message) {
        return client.publish(Mqtt5Publish.builder()
                .topic(ALL).qos(qos).payload(message).build());
    }

    /** Waits until a message is handed over, and throws what it failed with. */
    private void settle(CompletableFuture<Mqtt5PublishResult> sent) throws Exception {
        Throwable failure = errorOf(await(sent));
        if (failure instanceof Exception why) {
            throw why;
        }
    }

    private <T> T await(CompletableFuture<T> future) throws Exception {
        return Waiting.result(future, limitNs);
    }

    @Override
    public void close() throws Exception {
        if (!client.getState().isConnectedOrReconnect()) {
            return;
        }
        try {
            client.disconnect().get(GOODBYE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException unanswered) {
            System.err.println("a connection did not end within " + GOODBYE_MS + " ms: "
                    + unanswered);
        }
    }
}
