package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells who joins a mesh where the others are, and no more: no message for others comes by here. */
public final class MeshRegistry extends FrameServer {
    private final Map<Frames, Integer> members = new LinkedHashMap<>();

    /** Serves where the spec says. */
    public MeshRegistry(Spec spec) throws IOException {
        super(spec, true);
        begin();
    }

    @Override
    protected void opened(Frames frames) {
        // A member is who has said where it is.
    }

    @Override
    protected void serveOne(Frames frames) throws IOException {
        byte[] message = frames.read();
        if (frames.kind() == Frames.JOIN) {
            frames.write(Frames.JOIN, join(frames, ByteBuffer.wrap(message).getInt()));
        } else {
            Message.stampServed(message);
            frames.write(Frames.ECHO, message);
        }
    }

    /** The ports of those who came before, one after the other. */
    private synchronized byte[] join(Frames frames, int port) {
        ByteBuffer ports = ByteBuffer.allocate(members.size() * Integer.BYTES);
        members.values().forEach(ports::putInt);
        members.put(frames, port);
        return ports.array();
    }

    @Override
    protected synchronized void gone(Frames frames) {
        members.remove(frames);
    }
}
