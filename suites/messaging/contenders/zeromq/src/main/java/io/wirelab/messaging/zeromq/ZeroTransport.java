package io.wirelab.messaging.zeromq;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.PublishingServer;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

/** For each user a DEALER, and a SUB where others send to it; one context for all. */
final class ZeroTransport implements Transport {
    /** Two for each of 4,000 users, and what the library takes for itself. */
    private static final int SOCKETS = 10_000;

    private final ZContext context = ZeroWire.context(SOCKETS);
    private final String router;
    private final String publisher;
    private final int mark;
    private final int limitMs;
    private final int handshakeMs;

    public static void main(String[] arguments) {
        Messaging.main(arguments, ZeroTransport::new, ZeroServer::new, null);
    }

    ZeroTransport(Spec spec) {
        router = spec.endpoints().text("server");
        publisher = PublishingServer.publisherOf(spec);
        mark = spec.parameters().integerWithin("high_water_mark", 1, Integer.MAX_VALUE);
        handshakeMs = spec.parameters().integerWithin("handshake_ms", 1, Integer.MAX_VALUE);
        limitMs = spec.limits().operationMs();
    }

    @Override
    public Map<String, String> library() {
        return ZeroWire.LIBRARY;
    }

    @Override
    public Link connect(int user, Inbox inbox) throws TimeoutException {
        ZeroSubscription subscription = inbox != null
                ? new ZeroSubscription(socket(SocketType.SUB, publisher), user, inbox) : null;
        return new ZeroUser(() -> socket(SocketType.DEALER, router), subscription);
    }

    private ZMQ.Socket socket(SocketType type, String address) {
        ZMQ.Socket socket = ZeroWire.socket(context, type, mark, limitMs);
        socket.setHandshakeIvl(handshakeMs);
        socket.connect(address);
        return socket;
    }

    /** Sockets connect again by themselves, for as long as they are open. */
    @Override
    public boolean reconnectsItself() {
        return true;
    }

    @Override
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof ZMQException failed) {
            return switch (failed.getErrorCode()) {
                case ZError.EAGAIN -> Status.TIMEOUT;
                case ZError.ECANCELED, ZError.ETERM, ZError.ENOTSOCK -> Status.DISCONNECTED;
                default -> Status.ERROR;
            };
        }
        return Transport.super.statusOf(thrown);
    }

    @Override
    public void close() {
        context.close();
    }
}
