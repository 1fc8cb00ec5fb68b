package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** How this contender connects to its NATS server. */
final class Connections {
    /** What a responder answers to. */
    static final String REQUESTS = "wirelab.requests";

    /** What every user gets. */
    static final String ALL = "wirelab.all";

    private static final int NO_END = -1;

    private final String server;
    private final Duration limit;
    private final Fields parameters;

    Connections(Spec spec) {
        server = spec.endpoints().text("server");
        limit = Duration.ofNanos(spec.limits().operationNs());
        parameters = spec.parameters();
    }

    static Map<String, String> library() {
        return Map.of("name", "jnats", "version", Nats.CLIENT_VERSION);
    }

    Duration limit() {
        return limit;
    }

    /** A connection that makes itself again when it is lost, with its subscriptions. */
    Connection open(String name) throws IOException, InterruptedException {
        return Nats.connect(new Options.Builder()
                .server(server)
                .connectionName(name)
                .connectionTimeout(limit)
                .maxReconnects(NO_END)
                .reconnectWait(Duration.ofMillis(parameters.integer("reconnect_wait_ms", 2_000)))
                .bufferSize(parameters.integerWithin("buffer_bytes", 1_024, 1 << 24))
                .reportNoResponders()
                .build());
    }
}
