package io.wirelab.messaging.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyCollectorOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection for each user, on which it publishes as well as receives, as RESP3 allows. */
final class RedisTransport implements Transport {
    private static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE);

    private final ClientResources resources;
    private final RedisClient client;
    private final Duration limit;

    public static void main(String[] arguments) {
        Messaging.main(arguments, RedisTransport::new, null, null);
    }

    RedisTransport(Spec spec) {
        limit = Duration.ofNanos(spec.limits().operationNs());
        resources = ClientResources.builder()
                .ioThreadPoolSize(spec.parameters().integerWithin("io_threads", 1, 64))
                .computationThreadPoolSize(2)
                // Histograms of every command, for a monitor that is not there.
                .commandLatencyCollectorOptions(CommandLatencyCollectorOptions.disabled())
                .reconnectDelay(Delay.constant(Duration.ofMillis(
                        spec.parameters().integer("reconnect_wait_ms", 1_000))))
                .build();
        RedisURI server = RedisURI.create(spec.endpoints().text("server"));
        server.setTimeout(limit);
        client = RedisClient.create(resources, server);
        client.setOptions(ClientOptions.builder()
                .protocolVersion(ProtocolVersion.RESP3)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(limit).tcpNoDelay(true).build())
                .timeoutOptions(TimeoutOptions.enabled(limit))
                .build());
    }

    @Override
    public Map<String, String> library() {
        // What follows the slash is a commit.
        return Map.of("name", "Lettuce", "version", LettuceVersion.getVersion().split("/")[0]);
    }

    @Override
    public boolean reconnectsItself() {
        return true;
    }

    @Override
    public Link connect(int user, Inbox inbox) {
        return new RedisLink(client.connectPubSub(CODEC), "wirelab.user." + user, limit, inbox);
    }

    @Override
    public Status statusOf(Throwable thrown) {
        Status status = Transport.super.statusOf(thrown);
        for (Throwable why = thrown; status == Status.ERROR && why != null; why = why.getCause()) {
            if (why instanceof RedisCommandTimeoutException) {
                return Status.TIMEOUT;
            }
            if (why instanceof RedisConnectionException) {
                return Status.REFUSED;
            }
        }
        boolean lost = thrown.getClass() == RedisException.class
                && "Connection closed".equals(thrown.getMessage());
        return lost ? Status.DISCONNECTED : status;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        resources.shutdown(0, 1, TimeUnit.SECONDS);
    }

    /** A user who has subscribed to a channel of its own, and where others send to that of all. */
    private static final class RedisLink implements Link {
        private static final String ALL = "wirelab.all";

        private final StatefulRedisPubSubConnection<String, byte[]> connection;
        private final String name;
        private final Duration limit;
        private final Inbox inbox;
        private long channels;

        /** The call under way, and the channel that its message comes back on. */
        private final PendingEcho<String> pending = new PendingEcho<>();

        RedisLink(StatefulRedisPubSubConnection<String, byte[]> connection, String name,
                Duration limit, Inbox inbox) {
            this.connection = connection;
            this.name = name;
            this.limit = limit;
            this.inbox = inbox;
        }

        @Override
        public void join() {
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, byte[] message) {
                    if (inbox != null && channel.equals(ALL)) {
                        inbox.delivered(message);
                    } else {
                        pending.answered(channel, message);
                    }
                }
            });
            connection.sync().subscribe(own());
            if (inbox != null) {
                connection.sync().subscribe(ALL);
            }
        }

        private String own() {
            return name + "." + channels;
        }

        @Override
        public void echo(byte[] message, Reply reply) {
            if (pending.isUnanswered()) {
                renew();
            }
            String channel = own();
            pending.begin(channel, reply, false);
            connection.async().publish(channel, message).whenComplete((receivers, why) -> {
                if (why != null) {
                    reply.failed(why);
                }
            });
        }

        /**
         * Renews the channel: what still comes to the old one is the answer of nobody's call any
         * more.
         */
        private void renew() {
            connection.sync().unsubscribe(own());
            channels++;
            connection.sync().subscribe(own());
        }

        @Override
        public void broadcast(byte[] message) {
            connection.sync().publish(ALL, message);
        }

        /** Published without waiting for each other; the server says of each that it has taken it. */
        @Override
        public void stream(List<byte[]> messages) throws TimeoutException {
            RedisFuture<?>[] taken = messages.stream()
                    .map(message -> connection.async().publish(ALL, message))
                    .toArray(RedisFuture<?>[]::new);
            if (!LettuceFutures.awaitAll(limit, taken)) {
                throw new TimeoutException("not all messages were taken within " + limit);
            }
        }

        /** Redis has no goodbye: what is left of it is closing the connection. */
        @Override
        public void close() {
            connection.close();
        }
    }
}
