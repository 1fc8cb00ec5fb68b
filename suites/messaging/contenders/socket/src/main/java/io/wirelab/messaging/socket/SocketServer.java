package io.wirelab.messaging.socket;

import io.wirelab.messaging.Message;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A thread for each connection: it answers, and writes what is for everybody to everybody. */
final class SocketServer implements Server {
    private static final int BACKLOG = 4096;
    private static final int STACK = 128 * 1024;

    private final boolean buffered;
    private final ServerSocket listening;
    private final Set<Frames> connections = ConcurrentHashMap.newKeySet();

    SocketServer(Spec spec) throws IOException {
        buffered = Frames.buffered(spec.parameters());
        listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(spec.listenAddress(), BACKLOG);
        start(this::accept, "acceptor");
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Frames frames = new Frames(socket, buffered);
                connections.add(frames);
                start(() -> serve(frames), "connection");
            }
        } catch (IOException closed) {
            System.err.println("no longer accepting: " + closed.getMessage());
        }
    }

    private void serve(Frames frames) {
        try {
            while (true) {
                byte[] message = frames.read();
                if (frames.kind() == Frames.ECHO) {
                    Message.stampServed(message);
                    frames.write(Frames.ECHO, message);
                } else {
                    broadcast(message);
                }
            }
        } catch (IOException gone) {
            drop(frames);
        }
    }

    private void broadcast(byte[] message) {
        for (Frames each : connections) {
            try {
                each.write(Frames.BROADCAST, message);
            } catch (IOException gone) {
                drop(each);
            }
        }
    }

    private void drop(Frames frames) {
        connections.remove(frames);
        try {
            frames.close();
        } catch (IOException why) {
            System.err.println("a connection could not be closed: " + why.getMessage());
        }
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, STACK);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.net.ServerSocket", "version",
                System.getProperty("java.version"));
    }

    @Override
    public String endpoint() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("stamps", true);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        connections.forEach(this::drop);
    }
}
