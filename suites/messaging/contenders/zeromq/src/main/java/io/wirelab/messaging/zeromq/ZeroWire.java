package io.wirelab.messaging.zeromq;

import java.util.Map;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Agreements of client and server: kinds of requests, topics, and how sockets are made. */
final class ZeroWire {
    /** First part of a request that comes back to its sender. */
    static final byte[] ECHO = {1};

    /** First part of a request that goes to everybody. */
    static final byte[] BROADCAST = {2};

    /** Topic of what is for everybody. */
    static final byte[] ALL = {'b'};

    /** First byte of a topic that one subscriber made up, to hear that it is subscribed. */
    static final byte WELCOME = 'w';

    /** The byte with which a subscriber's request begins that asks for a topic. */
    static final byte SUBSCRIBE = 1;

    static final Map<String, String> LIBRARY = Map.of("name", "JeroMQ", "version", "0.6.0");

    private static final int BACKLOG = 4096;

    private ZeroWire() {}

    /** A context with one I/O thread, and room for {@code sockets}. */
    static ZContext context(int sockets) {
        ZContext context = new ZContext(1);
        context.getContext().setMaxSockets(sockets);
        return context;
    }

    /** A socket that holds {@code mark} messages for a peer, and waits {@code limitMs} at most. */
    static ZMQ.Socket socket(ZContext context, SocketType type, int mark, int limitMs) {
        ZMQ.Socket socket = context.createSocket(type);
        socket.setSndHWM(mark);
        socket.setRcvHWM(mark);
        socket.setSendTimeOut(limitMs);
        socket.setReceiveTimeOut(limitMs);
        socket.setBacklog(BACKLOG);
        return socket;
    }
}
