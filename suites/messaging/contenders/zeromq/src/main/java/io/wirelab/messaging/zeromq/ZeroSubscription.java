package io.wirelab.messaging.zeromq;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Inbox;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

/**
 * The SUB of a user, and the thread that owns it. Subscribing has no answer of its own, so a second
 * topic that only this user knows is asked for behind the first: the publisher greets it, and by
 * then it has seen both.
 */
final class ZeroSubscription {
    private static final int STACK = 128 * 1024;

    private final ZMQ.Socket socket;
    private final ZMQ.CancellationToken underWay;
    private final Inbox inbox;

    ZeroSubscription(ZMQ.Socket socket, int user, Inbox inbox) throws TimeoutException {
        this.socket = socket;
        this.inbox = inbox;
        underWay = socket.createCancellationToken();
        try {
            awaitWelcome();
        } catch (TimeoutException | ZMQException failed) {
            socket.close();
            throw failed;
        }
        socket.setReceiveTimeOut(-1);
        Background.start("subscriber-" + user, STACK, this::read);
    }

    private void awaitWelcome() throws TimeoutException {
        byte[] topic = ((char) ZeroWire.WELCOME + UUID.randomUUID().toString())
                .getBytes(StandardCharsets.US_ASCII);
        socket.subscribe(ZeroWire.ALL);
        socket.subscribe(topic);
        byte[] heard = socket.recv(0, underWay);
        while (heard != null && !Arrays.equals(heard, topic)) {
            // Somebody else's message is here before the welcome: not for this user yet.
            socket.recv(0, underWay);
            heard = socket.recv(0, underWay);
        }
        if (heard == null) {
            throw new TimeoutException("the subscription was not confirmed in time");
        }
        socket.unsubscribe(topic);
    }

    private void read() {
        try {
            while (true) {
                socket.recv(0, underWay);
                inbox.delivered(socket.recv(0, underWay));
            }
        } catch (ZMQException ended) {
            if (ended.getErrorCode() != ZError.ECANCELED) {
                System.err.println("a subscription ended: " + ended.getMessage());
            }
        } finally {
            socket.close();
        }
    }

    /** Lets the thread that owns the socket close it. */
    void close() {
        underWay.cancel();
    }
}
