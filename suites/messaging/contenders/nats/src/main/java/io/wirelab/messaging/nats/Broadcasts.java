package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * What one user sends to all. NATS has no acknowledgement of what is published and no bound on what
 * waits for a consumer but cutting it off; asking for the answer to a PING now and then is its way to
 * not run ahead of the server.
 */
final class Broadcasts {
    private final Connection connection;
    private final Duration limit;
    private final int flushEvery;
    private long sent;

    Broadcasts(Connection connection, Duration limit, int flushEvery) {
        this.connection = connection;
        this.limit = limit;
        this.flushEvery = flushEvery;
    }

    void send(byte[] message) throws InterruptedException, TimeoutException {
        connection.publish(Connections.ALL, message);
        sent++;
        if (flushEvery > 0 && sent % flushEvery == 0) {
            connection.flush(limit);
        }
    }
}
