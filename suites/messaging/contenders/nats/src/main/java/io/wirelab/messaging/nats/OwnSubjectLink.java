package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A user who publishes to a subject and has subscribed to it: who waits takes the message. */
final class OwnSubjectLink implements Link {
    private final Connection connection;
    private final Duration limit;
    private final Broadcasts broadcasts;
    private Subscription own;

    OwnSubjectLink(Connection connection, Duration limit, Broadcasts broadcasts) {
        this.connection = connection;
        this.limit = limit;
        this.broadcasts = broadcasts;
        subscribe();
    }

    private void subscribe() {
        own = connection.subscribe(connection.createInbox());
    }

    @Override
    public void echo(byte[] message, Reply reply) throws InterruptedException, TimeoutException {
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

    @Override
    public void broadcast(byte[] message) throws InterruptedException, TimeoutException {
        broadcasts.send(message);
    }

    /** NATS has no goodbye: what is left of it is closing the connection. */
    @Override
    public void close() throws InterruptedException {
        connection.close();
    }
}
