package io.wirelab.messaging.socket;

import io.wirelab.messaging.Message;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells who joins a mesh where the others are, and no more: no message for others comes by here. */
final class MeshRegistry implements Server {
    private static final int BACKLOG = 4096;
    private static final int STACK = 128 * 1024;

    private final ServerSocket listening;
    private final Map<Frames, Integer> members = new LinkedHashMap<>();

    MeshRegistry(Spec spec) throws IOException {
        listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(spec.listenAddress(), BACKLOG);
        start(this::accept, "acceptor");
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Frames frames = new Frames(socket, true);
                start(() -> serve(frames), "member");
            }
        } catch (IOException closed) {
            System.err.println("no longer accepting: " + closed.getMessage());
        }
    }

    private void serve(Frames frames) {
        try {
            while (true) {
                byte[] message = frames.read();
                if (frames.kind() == Frames.JOIN) {
                    frames.write(Frames.JOIN, join(frames, ByteBuffer.wrap(message).getInt()));
                } else {
                    Message.stampServed(message);
                    frames.write(Frames.ECHO, message);
                }
            }
        } catch (IOException gone) {
            leave(frames);
        }
    }

    /** The ports of those who came before, one after the other. */
    private synchronized byte[] join(Frames frames, int port) {
        ByteBuffer ports = ByteBuffer.allocate(members.size() * Integer.BYTES);
        members.values().forEach(ports::putInt);
        members.put(frames, port);
        return ports.array();
    }

    private synchronized void leave(Frames frames) {
        members.remove(frames);
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
    }
}
