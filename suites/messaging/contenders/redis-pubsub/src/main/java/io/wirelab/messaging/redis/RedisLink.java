package io.wirelab.messaging.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;

/** A user who has subscribed to a channel of its own, and where others send to that of all. */
final class RedisLink implements Link {
    private static final String ALL = "wirelab.all";

    private final StatefulRedisPubSubConnection<String, byte[]> connection;
    private final String name;
    private long channels;
    private volatile Awaited awaited;

    /** The call under way, and the channel that its message comes back on. */
    private record Awaited(String channel, Reply reply) {}

    RedisLink(StatefulRedisPubSubConnection<String, byte[]> connection, String name, Inbox inbox,
            boolean receives) {
        this.connection = connection;
        this.name = name;
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, byte[] message) {
                if (receives && channel.equals(ALL)) {
                    inbox.delivered(message);
                } else {
                    answered(channel, message);
                }
            }
        });
        connection.sync().subscribe(own());
        if (receives) {
            connection.sync().subscribe(ALL);
        }
    }

    private String own() {
        return name + "." + channels;
    }

    private void answered(String channel, byte[] message) {
        Awaited call = awaited;
        if (call != null && call.channel.equals(channel)) {
            awaited = null;
            call.reply.arrived(message);
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        if (awaited != null) {
            renew();
        }
        String channel = own();
        awaited = new Awaited(channel, reply);
        connection.async().publish(channel, message).whenComplete((receivers, why) -> {
            if (why != null) {
                reply.failed(why);
            }
        });
    }

    /** What still comes to the old channel is the answer of nobody's call any more. */
    private void renew() {
        awaited = null;
        connection.sync().unsubscribe(own());
        channels++;
        connection.sync().subscribe(own());
    }

    @Override
    public void broadcast(byte[] message) {
        connection.sync().publish(ALL, message);
    }

    /** Redis has no goodbye: what is left of it is closing the connection. */
    @Override
    public void close() {
        connection.close();
    }
}
