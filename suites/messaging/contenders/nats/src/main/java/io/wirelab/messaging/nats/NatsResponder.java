package io.wirelab.messaging.nats;

import io.nats.client.Connection;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Spec;
import java.time.Duration;
import java.util.Map;

/** Answers every request with what it brought. */
final class NatsResponder implements StampingServer {
    private static final String GROUP = "responders";

    private final Connection connection;

    NatsResponder(Spec spec) throws Exception {
        connection = NatsTransport.open(spec, "responder");
        connection.createDispatcher(this::answer).subscribe(NatsTransport.REQUESTS, GROUP);
        connection.flush(Duration.ofNanos(spec.limits().operationNs()));
    }

    private void answer(io.nats.client.Message request) {
        byte[] message = request.getData().clone();
        Message.stampServed(message);
        connection.publish(request.getReplyTo(), message);
    }

    @Override
    public Map<String, String> library() {
        return NatsTransport.LIBRARY;
    }

    /** None: what answers has subscribed, and listens on nothing. */
    @Override
    public String endpoint() {
        return "";
    }

    @Override
    public void close() throws InterruptedException {
        connection.close();
    }
}
