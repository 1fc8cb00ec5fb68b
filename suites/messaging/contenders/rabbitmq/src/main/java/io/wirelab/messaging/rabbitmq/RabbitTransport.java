package io.wirelab.messaging.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.ClientVersion;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Login;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A connection for each user; what the library does besides reading is done by threads of all. */
final class RabbitTransport implements Transport {
    private final ConnectionFactory server = new ConnectionFactory();
    private final ExecutorService consumers;
    private final ScheduledExecutorService heartbeats;
    private final Guarantees guarantees;

    public static void main(String[] arguments) {
        Messaging.main(arguments, RabbitTransport::new, null, null);
    }

    RabbitTransport(Spec spec) throws Exception {
        int limitMs = Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs()));
        ThreadFactory background = RabbitTransport::background;
        // Who works on what it gets keeps a thread from all others.
        consumers = spec.parameters().has("work_ms") ? Executors.newCachedThreadPool(background)
                : Executors.newFixedThreadPool(
                        spec.parameters().integerWithin("consumer_threads", 1, 64), background);
        heartbeats = Executors.newSingleThreadScheduledExecutor(background);
        guarantees = Guarantees.of(spec.parameters(), limitMs);
        server.setUri(Login.in(spec.endpoints().text("server")));
        server.setConnectionTimeout(limitMs);
        server.setHandshakeTimeout(limitMs);
        server.setChannelRpcTimeout(limitMs);
        server.setShutdownTimeout(limitMs);
        server.setNetworkRecoveryInterval(spec.parameters().integer("reconnect_wait_ms", 5_000));
        server.setSharedExecutor(consumers);
        server.setHeartbeatExecutor(heartbeats);
    }

    private static Thread background(Runnable work) {
        Thread thread = new Thread(work, "rabbitmq");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "amqp-client", "version", ClientVersion.VERSION);
    }

    @Override
    public boolean reconnectsItself() {
        return true;
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        AtomicReference<Socket> socket = new AtomicReference<>();
        ConnectionFactory own = server.clone();
        own.setSocketConfigurator(made -> {
            made.setTcpNoDelay(true);
            socket.set(made);
        });
        Connection connection = own.newConnection("user-" + user);
        try {
            return new RabbitLink(connection, socket, guarantees, inbox);
        } catch (Exception notServed) {
            connection.abort(guarantees.limitMs());
            throw notServed;
        }
    }

    @Override
    public Status statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof ShutdownSignalException lost) {
                // A channel alone is closed for what was done on it; a connection is gone.
                boolean gone = lost.isHardError() || why instanceof AlreadyClosedException;
                return gone ? Status.DISCONNECTED : Status.ERROR;
            }
        }
        return Transport.super.statusOf(thrown);
    }

    @Override
    public void close() {
        consumers.shutdownNow();
        heartbeats.shutdownNow();
    }

    /**
     * Promises about a message, and the time that they may take.
     *
     * @param confirmed the broker confirms what is published, receivers acknowledge what they get
     * @param prefetch messages that a receiver may have unacknowledged
     * @param limitMs the longest wait for the broker, in milliseconds
     */
    record Guarantees(boolean confirmed, int prefetch, int limitMs) {

        static Guarantees of(Fields parameters, int limitMs) {
            boolean confirmed = parameters.flag("confirms");
            int prefetch = confirmed ? parameters.integerWithin("prefetch", 1, 65_535) : 0;
            return new Guarantees(confirmed, prefetch, limitMs);
        }
    }
}
