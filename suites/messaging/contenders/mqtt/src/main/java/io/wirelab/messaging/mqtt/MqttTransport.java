package io.wirelab.messaging.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.exceptions.MqttClientStateException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A client for each user; the library's event loops serve them all. */
final class MqttTransport implements Transport {
    private final URI server;
    private final MqttQos qos;
    private final long limitNs;
    private final int threads;

    public static void main(String[] arguments) {
        Messaging.main(arguments, MqttTransport::new, null, null);
    }

    MqttTransport(Spec spec) {
        server = URI.create(spec.endpoints().text("server"));
        qos = MqttQos.fromCode(spec.parameters().integerWithin("qos", 0, 1));
        limitNs = spec.limits().operationNs();
        threads = spec.parameters().integerWithin("io_threads", 1, 64);
    }

    @Override
    public Map<String, String> library() {
        String version = MqttClient.class.getPackage().getImplementationVersion();
        return Map.of("name", "hivemq-mqtt-client", "version", version == null ? "1.4.0" : version);
    }

    @Override
    public Link connect(int user, Inbox inbox) {
        AtomicReference<MqttLink> made = new AtomicReference<>();
        Mqtt5AsyncClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("u" + user + "-" + UUID.randomUUID())
                .serverHost(server.getHost())
                .serverPort(server.getPort())
                .simpleAuth(login(server.getUserInfo()))
                .executorConfig().nettyThreads(threads).applyExecutorConfig()
                .transportConfig()
                .socketConnectTimeout(limitNs, TimeUnit.NANOSECONDS)
                .mqttConnectTimeout(limitNs, TimeUnit.NANOSECONDS)
                .applyTransportConfig()
                .addDisconnectedListener(context -> {
                    if (made.get() != null) {
                        made.get().lost(context.getCause());
                    }
                })
                .buildAsync();
        MqttLink link = new MqttLink(client, qos, limitNs, inbox);
        made.set(link);
        // On the event loop itself: what takes messages here is quick, and another thread is not.
        client.publishes(MqttGlobalPublishFilter.ALL, link::received, Runnable::run);
        return link;
    }

    /** User and password of an address; null where it has none. */
    private static Mqtt5SimpleAuth login(String said) {
        if (said == null) {
            return null;
        }
        String[] parts = said.split(":", 2);
        return Mqtt5SimpleAuth.builder()
                .username(parts[0])
                .password(parts[1].getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @Override
    public Status statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof ConnectionFailedException || why instanceof Mqtt5ConnAckException) {
                return Status.REFUSED;
            }
            if (why instanceof ConnectionClosedException || why instanceof Mqtt5DisconnectException
                    || why instanceof MqttClientStateException) {
                return Status.DISCONNECTED;
            }
        }
        return Transport.super.statusOf(thrown);
    }
}
