package io.wirelab.messaging.rmi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.concurrent.TimeUnit;

/**
 * The sockets of every RMI call of this process: RMI's own listen on all interfaces and wait for a
 * connection as long as the kernel does.
 */
final class LoopbackSockets extends RMISocketFactory {
    private static final int BACKLOG = 4096;

    private final int connectMs;
    private volatile int port;

    private LoopbackSockets(int connectMs) {
        this.connectMs = connectMs;
    }

    /**
     * Makes RMI use them, and wait for a connection {@code connectNs} and for an answer {@code answerNs}
     * at the most. Once a process, before its first use of RMI, which reads these limits only then.
     */
    static LoopbackSockets install(long connectNs, long answerNs) throws IOException {
        limit("sun.rmi.transport.tcp.responseTimeout", answerNs);
        limit("sun.rmi.transport.tcp.handshakeTimeout", connectNs);
        LoopbackSockets sockets = new LoopbackSockets(
                Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(connectNs)));
        RMISocketFactory.setSocketFactory(sockets);
        return sockets;
    }

    private static void limit(String property, long ns) {
        System.setProperty(property, String.valueOf(TimeUnit.NANOSECONDS.toMillis(ns)));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), connectMs);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        ServerSocket listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        this.port = listening.getLocalPort();
        return listening;
    }

    /** Port that the system gave for the last one asked for: all objects of a process share one. */
    int port() {
        return port;
    }
}
