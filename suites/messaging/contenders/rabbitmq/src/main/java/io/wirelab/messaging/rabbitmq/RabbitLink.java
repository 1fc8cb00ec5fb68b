package io.wirelab.messaging.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import io.wirelab.messaging.Awaited;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.rabbitmq.RabbitTransport.Guarantees;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** A user with a queue of its own for echoes and one for what is sent to all. */
final class RabbitLink implements Link {
    private static final String ALL = "wirelab.all";
    private static final String TO_QUEUES = "";
    private static final String SHARED = "wirelab.shared";
    private static final int NOT_KEPT = 1;

    private final Connection connection;
    private final AtomicReference<Socket> socket;
    private final Guarantees guarantees;
    /** A channel is for one thread: that of the user publishes, those of the library take. */
    private final Channel publishing;
    private final Channel consuming;
    /** Named by us rather than by the broker, so that they are the same after a recovery. */
    private final String own = "wirelab." + UUID.randomUUID();
    private final PendingEcho<String> pending = new PendingEcho<>();
    private long calls;

    RabbitLink(Connection connection, AtomicReference<Socket> socket, Guarantees guarantees,
            Inbox inbox) throws IOException {
        this.connection = connection;
        this.socket = socket;
        this.guarantees = guarantees;
        // Queues are gone with their connection.
        connection.addShutdownListener(pending::lost);
        publishing = connection.createChannel();
        consuming = connection.createChannel();
        if (guarantees.confirmed()) {
            publishing.confirmSelect();
            consuming.basicQos(guarantees.prefetch());
        }
        consume(own + ".echo", delivery -> pending.answered(
                delivery.getProperties().getCorrelationId(), delivery.getBody()));
        if (inbox != null) {
            consuming.exchangeDeclare(ALL, BuiltinExchangeType.FANOUT, false, true, Map.of());
            consume(own + ".all", delivery -> inbox.delivered(delivery.getBody()));
            consuming.queueBind(own + ".all", ALL, "");
        }
    }

    private void consume(String queue, Consumer<Delivery> taker) throws IOException {
        consuming.queueDeclare(queue, false, true, true, Map.of());
        take(queue, taker);
    }

    private void take(String queue, Consumer<Delivery> taker) throws IOException {
        boolean acknowledged = guarantees.confirmed();
        consuming.basicConsume(queue, !acknowledged, (tag, delivery) -> {
            taker.accept(delivery);
            if (acknowledged) {
                consuming.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
            }
        }, tag -> {});
    }

    @Override
    public void echo(byte[] message, Reply reply)
            throws IOException, InterruptedException, TimeoutException {
        Awaited<String> call =
                pending.begin(Long.toString(calls++), reply, guarantees.confirmed());
        publish(TO_QUEUES, own + ".echo", call.id(), message);
        if (guarantees.confirmed()) {
            publishing.waitForConfirmsOrDie(guarantees.limitMs());
            call.acknowledged();
        }
    }

    @Override
    public void broadcast(byte[] message)
            throws IOException, InterruptedException, TimeoutException {
        publish(ALL, "", null, message);
        if (guarantees.confirmed()) {
            publishing.waitForConfirmsOrDie(guarantees.limitMs());
        }
    }

    /** Confirmed together, where they are to be. */
    @Override
    public void stream(List<byte[]> messages)
            throws IOException, InterruptedException, TimeoutException {
        for (byte[] message : messages) {
            publish(ALL, "", null, message);
        }
        if (guarantees.confirmed()) {
            publishing.waitForConfirmsOrDie(guarantees.limitMs());
        }
    }

    /** The queue is gone with the last who shares it. */
    @Override
    public void compete(Inbox inbox) throws IOException {
        consuming.queueDeclare(SHARED, false, false, true, Map.of());
        take(SHARED, delivery -> {
            if (delivery.getEnvelope().isRedeliver()) {
                inbox.redelivered(delivery.getBody());
            } else {
                inbox.delivered(delivery.getBody());
            }
        });
    }

    @Override
    public void enqueue(byte[] message)
            throws IOException, InterruptedException, TimeoutException {
        publish(TO_QUEUES, SHARED, null, message);
        if (guarantees.confirmed()) {
            publishing.waitForConfirmsOrDie(guarantees.limitMs());
        }
    }

    private void publish(String exchange, String key, String id, byte[] message)
            throws IOException {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(NOT_KEPT).correlationId(id).build();
        publishing.basicPublish(exchange, key, properties, message);
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close(guarantees.limitMs());
        } catch (ShutdownSignalException lost) {
            if (!lost.isInitiatedByApplication()) {
                connection.abort(guarantees.limitMs());
            }
        }
    }

    @Override
    public void abandon() throws IOException {
        Socket connected = socket.get();
        connected.setSoLinger(true, 0);
        connected.close();
        // Else the library would connect again.
        connection.abort(guarantees.limitMs());
    }
}
