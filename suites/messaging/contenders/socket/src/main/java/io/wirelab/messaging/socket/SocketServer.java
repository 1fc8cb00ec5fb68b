package io.wirelab.messaging.socket;

import io.wirelab.messaging.FrameServer;
import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Message;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers, and writes what is for everybody to everybody. */
final class SocketServer extends FrameServer {
    private final Set<Frames> connections = ConcurrentHashMap.newKeySet();

    SocketServer(Spec spec) throws IOException {
        super(spec, SocketTransport.buffers(spec));
        begin();
    }

    @Override
    protected void opened(Frames frames) {
        connections.add(frames);
    }

    @Override
    protected void serveOne(Frames frames) throws IOException {
        byte[] message = frames.read();
        if (frames.kind() == Frames.ECHO) {
            Message.stampServed(message);
            frames.write(Frames.ECHO, message);
        } else {
            broadcast(message);
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

    @Override
    protected void gone(Frames frames) {
        connections.remove(frames);
    }

    @Override
    public void close() throws IOException {
        super.close();
        connections.forEach(this::drop);
    }
}
