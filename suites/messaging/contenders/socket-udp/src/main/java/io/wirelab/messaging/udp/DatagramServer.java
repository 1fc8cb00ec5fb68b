package io.wirelab.messaging.udp;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** One thread on one socket: it answers, and sends what is for everybody to everybody. */
final class DatagramServer implements StampingServer {
    private final DatagramSocket socket;
    private final Datagrams datagrams;
    private final Set<SocketAddress> members = new LinkedHashSet<>();

    DatagramServer(Spec spec) throws IOException {
        socket = new DatagramSocket(spec.listenAddress());
        datagrams = new Datagrams(socket);
        Background.start("server", this::serve);
    }

    private void serve() {
        try {
            while (true) {
                byte[] message = datagrams.receive();
                answer(message, datagrams.kind(), datagrams.sender());
            }
        } catch (IOException closed) {
            System.err.println("no longer serving: " + closed.getMessage());
        }
    }

    private void answer(byte[] message, int kind, SocketAddress sender) throws IOException {
        switch (kind) {
            case Datagrams.ECHO -> {
                Message.stampServed(message);
                datagrams.send(kind, message, sender);
            }
            case Datagrams.BROADCAST -> {
                for (SocketAddress member : members) {
                    datagrams.send(kind, message, member);
                }
            }
            case Datagrams.JOIN -> {
                members.add(sender);
                datagrams.send(kind, message, sender);
            }
            default -> members.remove(sender);
        }
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.net.DatagramSocket", "version",
                System.getProperty("java.version"));
    }

    @Override
    public String endpoint() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() {
        socket.close();
    }
}
