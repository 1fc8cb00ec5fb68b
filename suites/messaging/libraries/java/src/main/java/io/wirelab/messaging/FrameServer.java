package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;

/** A thread for each connection, which serves one frame after the other until it is gone. */
public abstract class FrameServer implements StampingServer {
    private static final int BACKLOG = 4096;
    private static final int STACK = 128 * 1024;

    private final boolean buffered;
    private final ServerSocket listening;

    /** Binds where the spec says. */
    protected FrameServer(Spec spec, boolean buffered) throws IOException {
        this.buffered = buffered;
        listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(spec.listenAddress(), BACKLOG);
    }

    /** Accepts connections from now on: once everything is there that they need. */
    protected final void begin() {
        Background.start("acceptor", STACK, this::accept);
    }

    /** Hears of a connection before its first frame. */
    protected abstract void opened(Frames frames);

    /** Reads a frame and does what it asks for. */
    protected abstract void serveOne(Frames frames) throws IOException;

    /** Hears of a connection that is gone. */
    protected abstract void gone(Frames frames);

    /** Closes a connection, and lets go of it. */
    protected final void drop(Frames frames) {
        gone(frames);
        try {
            frames.close();
        } catch (IOException why) {
            System.err.println("a connection could not be closed: " + why.getMessage());
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Frames frames = new Frames(socket, buffered);
                opened(frames);
                Background.start("connection", STACK, () -> serve(frames));
            }
        } catch (IOException closed) {
            System.err.println("no longer accepting: " + closed.getMessage());
        }
    }

    private void serve(Frames frames) {
        try {
            while (true) {
                serveOne(frames);
            }
        } catch (IOException gone) {
            drop(frames);
        }
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
    public void close() throws IOException {
        listening.close();
    }
}
