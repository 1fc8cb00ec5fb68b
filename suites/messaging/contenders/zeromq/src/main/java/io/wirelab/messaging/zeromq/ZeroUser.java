package io.wirelab.messaging.zeromq;

import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Turns;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

/**
 * The DEALER of a user, and its subscription where others send to it. A socket is for one thread at a
 * time, and the one thing that another one may do is to cancel the call under way.
 */
final class ZeroUser implements Link {
    /** Time for which a socket that is closed goes on sending what was handed to it. */
    private static final int GOODBYE_MS = 1000;

    private final Turns turns = new Turns();
    private final Supplier<ZMQ.Socket> maker;
    private final ZeroSubscription subscription;
    private volatile ZMQ.CancellationToken underWay;
    private ZMQ.Socket socket;
    private volatile boolean closed;

    ZeroUser(Supplier<ZMQ.Socket> maker, ZeroSubscription subscription) {
        this.maker = maker;
        this.subscription = subscription;
    }

    @Override
    public void join() {
        open();
    }

    @Override
    public void echo(byte[] message, Reply reply) throws Exception {
        turns.take(() -> {
            send(ZeroWire.ECHO, message);
            byte[] answer = socket.recv(0, underWay);
            if (answer == null) {
                // An answer that comes too late must not be taken for the next one's.
                socket.setLinger(0);
                socket.close();
                open();
                throw new TimeoutException("no answer in time");
            }
            reply.arrived(answer);
        });
    }

    /** Returns when the message is queued in the socket. */
    @Override
    public void broadcast(byte[] message) throws Exception {
        turns.take(() -> send(ZeroWire.BROADCAST, message));
    }

    private void send(byte[] kind, byte[] message) throws TimeoutException {
        if (closed) {
            throw new ZMQException("left", ZError.ENOTSOCK);
        }
        // Only the first part can wait: where there is room for it, there is for the message.
        if (!socket.send(kind, ZMQ.SNDMORE, underWay) || !socket.send(message, 0, underWay)) {
            throw new TimeoutException("the queue to the server stayed full until the limit");
        }
    }

    private void open() {
        socket = maker.get();
        underWay = socket.createCancellationToken();
    }

    @Override
    public void close() {
        leave(GOODBYE_MS);
    }

    @Override
    public void abandon() {
        leave(0);
    }

    /** Ends the call under way, and leaves. */
    private void leave(int lingerMs) {
        closed = true;
        turns.last(() -> underWay.cancel(), () -> {
            if (socket != null) {
                socket.setLinger(lingerMs);
                socket.close();
            }
        });
        if (subscription != null) {
            subscription.close();
        }
    }
}
