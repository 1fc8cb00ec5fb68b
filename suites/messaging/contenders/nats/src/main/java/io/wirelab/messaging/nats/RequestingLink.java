package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A user who sends requests, and gets their answers to an inbox that the library keeps for them. */
final class RequestingLink implements Link {
    private final Connection connection;
    private final Duration limit;
    private final Broadcasts broadcasts;

    RequestingLink(Connection connection, Duration limit, Broadcasts broadcasts) {
        this.connection = connection;
        this.limit = limit;
        this.broadcasts = broadcasts;
    }

    @Override
    public void echo(byte[] message, Reply reply)
            throws InterruptedException, ExecutionException, TimeoutException {
        reply.arrived(connection.requestWithTimeout(Connections.REQUESTS, message, limit)
                .get(limit.toNanos(), TimeUnit.NANOSECONDS).getData());
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
