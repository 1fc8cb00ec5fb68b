package io.wirelab.messaging.mesh;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One application of a mesh. Who joins connects to all who came before, and each of them answers when
 * it sends to the newcomer as well: so from the end of joining on everybody gets what is broadcast.
 */
final class MeshMember implements Link {
    private static final int BACKLOG = 1024;
    private static final int STACK = 128 * 1024;
    private static final byte[] NOTHING = {};

    private final int user;
    private final Inbox inbox;
    private final InetSocketAddress whereRegistryIs;
    private final int limitMs;
    private final ServerSocket listening;
    private final Set<Frames> peers = ConcurrentHashMap.newKeySet();
    private Frames registry;

    MeshMember(int user, Inbox inbox, InetSocketAddress registry, int limitMs)
            throws IOException {
        this.user = user;
        this.inbox = inbox;
        whereRegistryIs = registry;
        this.limitMs = limitMs;
        listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Background.start("acceptor-" + user, STACK, this::accept);
    }

    /** Asks where the others are, and connects to each of them. */
    @Override
    public void join() throws IOException {
        registry = connected(whereRegistryIs);
        byte[] port = ByteBuffer.allocate(Integer.BYTES).putInt(listening.getLocalPort()).array();
        registry.write(Frames.JOIN, port);
        ByteBuffer ports = ByteBuffer.wrap(registry.read());
        while (ports.hasRemaining()) {
            Frames peer = connected(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getInt()));
            peer.write(Frames.JOIN, NOTHING);
            awaitAnswer(peer);
            listen(peer);
        }
    }

    /** Whoever sends to all meanwhile may be before the answer of the same peer. */
    private void awaitAnswer(Frames peer) throws IOException {
        byte[] message = peer.read();
        while (peer.kind() != Frames.JOIN) {
            take(peer, message);
            message = peer.read();
        }
    }

    /** With a limit to connecting and to an answer, until it is listened to. */
    private Frames connected(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, limitMs);
            socket.setSoTimeout(limitMs);
            return new Frames(socket, true);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    private void accept() {
        try {
            while (true) {
                Frames newcomer = new Frames(listening.accept(), true);
                newcomer.read();
                listen(newcomer);
                newcomer.write(Frames.JOIN, NOTHING);
            }
        } catch (IOException closed) {
            // It has left.
        }
    }

    private void listen(Frames peer) throws IOException {
        peer.forEver();
        peers.add(peer);
        Background.start("reader-" + user, STACK, () -> read(peer));
    }

    private void take(Frames peer, byte[] message) {
        if (peer.kind() == Frames.BROADCAST && inbox != null) {
            inbox.delivered(message);
        }
    }

    private void read(Frames peer) {
        try {
            while (true) {
                take(peer, peer.read());
            }
        } catch (IOException gone) {
            peers.remove(peer);
        }
    }

    /** By way of the registry, which is all that a mesh has in common. */
    @Override
    public void echo(byte[] message, Reply reply) throws IOException {
        registry.write(Frames.ECHO, message);
        reply.arrived(registry.read());
    }

    /** Written to every other one; to itself nothing has to be sent. */
    @Override
    public void broadcast(byte[] message) throws IOException {
        for (Frames peer : peers) {
            peer.write(Frames.BROADCAST, message);
        }
        inbox.delivered(message);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Frames peer : peers) {
            peer.close();
        }
        if (registry != null) {
            registry.close();
        }
    }

    @Override
    public void abandon() throws IOException {
        listening.close();
        for (Frames peer : peers) {
            peer.reset();
        }
        registry.reset();
    }
}
