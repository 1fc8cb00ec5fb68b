package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection for each user. Echoes go to a subject of the user's own, or to a responder. */
final class NatsTransport implements Transport {
    static final Map<String, String> LIBRARY =
            Map.of("name", "jnats", "version", Nats.CLIENT_VERSION);

    /** Subject that a responder answers to. */
    static final String REQUESTS = "wirelab.requests";

    /** Subject of what every user gets. */
    private static final String ALL = "wirelab.all";

    /** Subject of what one of those who share it gets. */
    private static final String SHARED = "wirelab.shared";

    /** The library's word for "without end" and "without limit". */
    private static final int NONE = -1;

    private final Spec spec;
    private final Duration limit;
    private final boolean requests;
    private final int flushEvery;

    public static void main(String[] arguments) {
        Messaging.main(arguments, NatsTransport::new, null, NatsResponder::new);
    }

    NatsTransport(Spec spec) {
        this.spec = spec;
        limit = Duration.ofNanos(spec.limits().operationNs());
        requests = spec.parameters().text("echo").equals("responder");
        flushEvery = Math.toIntExact(spec.parameters().integer("flush_every", 0));
    }

    @Override
    public Map<String, String> library() {
        return LIBRARY;
    }

    @Override
    public boolean reconnectsItself() {
        return true;
    }

    /** A connection that makes itself again when it is lost, with its subscriptions. */
    static Connection open(Spec spec, String name) throws IOException, InterruptedException {
        return Nats.connect(new Options.Builder()
                .server(spec.endpoints().text("server"))
                .connectionName(name)
                .connectionTimeout(Duration.ofNanos(spec.limits().operationNs()))
                .maxReconnects(NONE)
                .reconnectWait(Duration.ofMillis(
                        spec.parameters().integer("reconnect_wait_ms", 2_000)))
                .bufferSize(spec.parameters().integerWithin("buffer_bytes", 1_024, 1 << 24))
                .reportNoResponders()
                .build());
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        Connection connection = open(spec, "user-" + user);
        return requests ? new RequestingLink(connection, inbox)
                : new OwnSubjectLink(connection, inbox);
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

    /** Parts that users have alike, however their echoes come back. */
    private abstract class NatsLink implements Link {
        final Connection connection;
        private final Inbox inbox;
        private long sent;

        NatsLink(Connection connection, Inbox inbox) {
            this.connection = connection;
            this.inbox = inbox;
        }

        @Override
        public void join() throws TimeoutException, InterruptedException {
            if (inbox != null) {
                take(inbox).subscribe(ALL);
            }
            // The server has taken the subscriptions when it answers what was sent after them.
            connection.flush(limit);
        }

        private Dispatcher take(Inbox taker) {
            Dispatcher dispatcher = connection.createDispatcher(
                    message -> taker.delivered(message.getData()));
            dispatcher.setPendingLimits(NONE, NONE);
            return dispatcher;
        }

        /**
         * NATS has no acknowledgement of what is published and no bound on what waits for a consumer
         * but cutting it off; asking for the answer to a PING now and then is its way to not run
         * ahead of the server.
         */
        @Override
        public void broadcast(byte[] message) throws InterruptedException, TimeoutException {
            connection.publish(ALL, message);
            sent++;
            if (flushEvery > 0 && sent % flushEvery == 0) {
                connection.flush(limit);
            }
        }

        /** Nobody waits for the server here: who is behind it has its messages late. */
        @Override
        public void stream(List<byte[]> messages) {
            for (byte[] message : messages) {
                connection.publish(ALL, message);
            }
        }

        /** A queue group: the server picks one of its members for each message, and forgets it. */
        @Override
        public void compete(Inbox taker) throws TimeoutException, InterruptedException {
            take(taker).subscribe(SHARED, SHARED);
            connection.flush(limit);
        }

        @Override
        public void enqueue(byte[] message) {
            connection.publish(SHARED, message);
        }

        /** NATS has no goodbye: what is left of it is closing the connection. */
        @Override
        public void close() throws InterruptedException {
            connection.close();
        }
    }

    /** A user who sends requests, and gets their answers to an inbox that the library keeps. */
    private final class RequestingLink extends NatsLink {
        RequestingLink(Connection connection, Inbox inbox) {
            super(connection, inbox);
        }

        @Override
        public void echo(byte[] message, Reply reply)
                throws InterruptedException, ExecutionException, TimeoutException {
            reply.arrived(connection.requestWithTimeout(REQUESTS, message, limit)
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS).getData());
        }
    }

    /** A user who publishes to a subject and has subscribed to it: who waits takes the message. */
    private final class OwnSubjectLink extends NatsLink {
        private Subscription own;

        OwnSubjectLink(Connection connection, Inbox inbox) {
            super(connection, inbox);
        }

        @Override
        public void join() throws TimeoutException, InterruptedException {
            subscribe();
            super.join();
        }

        private void subscribe() {
            own = connection.subscribe(connection.createInbox());
        }

        @Override
        public void echo(byte[] message, Reply reply)
                throws InterruptedException, TimeoutException {
            connection.publish(own.getSubject(), message);
            Message answer = own.nextMessage(limit);
            if (answer == null) {
                // What still comes to the old subject is the answer of nobody's call any more.
                own.unsubscribe();
                subscribe();
                throw new TimeoutException("no message for " + limit);
            }
            reply.arrived(answer.getData());
        }
    }
}
