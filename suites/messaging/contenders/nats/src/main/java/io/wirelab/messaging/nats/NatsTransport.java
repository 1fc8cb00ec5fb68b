package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamStatusException;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.net.SocketException;
import java.util.Map;

/** A connection for each user. Echoes go to a subject of the user's own, or to a responder. */
final class NatsTransport implements Transport {
    private static final int NO_LIMIT = -1;

    private final Connections connections;
    private final boolean receives;
    private final boolean requests;
    private final int flushEvery;

    NatsTransport(Spec spec) {
        connections = new Connections(spec);
        receives = spec.operations().containsKey("send");
        requests = spec.parameters().text("echo").equals("responder");
        flushEvery = Math.toIntExact(spec.parameters().integer("flush_every", 0));
    }

    @Override
    public Map<String, String> library() {
        return Connections.library();
    }

    @Override
    public boolean reconnectsItself() {
        return true;
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        Connection connection = connections.open("user-" + user);
        try {
            Broadcasts broadcasts = new Broadcasts(connection, connections.limit(), flushEvery);
            if (receives) {
                Dispatcher all = connection.createDispatcher(
                        message -> inbox.delivered(message.getData()));
                all.setPendingLimits(NO_LIMIT, NO_LIMIT);
                all.subscribe(Connections.ALL);
            }
            Link link = requests
                    ? new RequestingLink(connection, connections.limit(), broadcasts)
                    : new OwnSubjectLink(connection, connections.limit(), broadcasts);
            // The server has taken the subscriptions when it answers what was sent after them.
            connection.flush(connections.limit());
            return link;
        } catch (Exception notServed) {
            connection.close();
            throw notServed;
        }
    }

    @Override
    public Status statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof IllegalStateException) {
                return Status.DISCONNECTED;
            }
            if (why instanceof JetStreamStatusException) {
                return Status.REFUSED;
            }
            // All that connecting says; what it met is in its text alone.
            if (why.getClass() == IOException.class && !(why instanceof SocketException)) {
                return Status.REFUSED;
            }
        }
        return Transport.super.statusOf(thrown);
    }
}
