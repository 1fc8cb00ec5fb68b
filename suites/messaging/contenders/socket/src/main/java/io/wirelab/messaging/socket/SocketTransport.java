package io.wirelab.messaging.socket;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Incoming;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;

/** A connection for each user. */
final class SocketTransport implements Transport {
    private final InetSocketAddress server;
    private final boolean buffered;
    private final int limitMs;

    public static void main(String[] arguments) {
        Messaging.main(arguments, SocketTransport::new, SocketServer::new, null);
    }

    SocketTransport(Spec spec) {
        server = spec.endpointAddress("server");
        buffered = buffers(spec);
        limitMs = spec.limits().operationMs();
    }

    /** Tells whether a trial's frames are buffered, as its tuning says. */
    static boolean buffers(Spec spec) {
        String framing = spec.parameters().text("framing");
        return switch (framing) {
            case "buffered" -> true;
            case "unbuffered" -> false;
            default -> throw new IllegalArgumentException("framing is \"" + framing
                    + "\", expected buffered or unbuffered");
        };
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.net.Socket", "version", System.getProperty("java.version"));
    }

    @Override
    public Link connect(int user, Inbox inbox) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(server, limitMs);
            Frames frames = new Frames(socket, buffered);
            if (inbox != null) {
                return new ReceivingLink(frames, inbox, user);
            }
            socket.setSoTimeout(limitMs);
            return new CallingLink(frames);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** A user who only asks: the answer is read by who waits for it. */
    private record CallingLink(Frames frames) implements Link {
        @Override
        public void echo(byte[] message, Reply reply) throws IOException {
            frames.write(Frames.ECHO, message);
            reply.arrived(frames.read());
        }

        @Override
        public void broadcast(byte[] message) throws IOException {
            frames.write(Frames.BROADCAST, message);
        }

        @Override
        public void close() throws IOException {
            frames.close();
        }

        @Override
        public void abandon() throws IOException {
            frames.reset();
        }
    }

    /** A user to whom others send: a thread reads whatever comes. */
    private static final class ReceivingLink implements Link {
        private final Frames frames;
        private final Incoming incoming;

        ReceivingLink(Frames frames, Inbox inbox, int user) {
            this.frames = frames;
            incoming = new Incoming(inbox);
            Background.start("reader-" + user, 128 * 1024, this::read);
        }

        private void read() {
            try {
                while (true) {
                    byte[] message = frames.read();
                    if (frames.kind() == Frames.BROADCAST) {
                        incoming.delivered(message);
                    } else {
                        incoming.answered(message);
                    }
                }
            } catch (IOException gone) {
                incoming.failed(gone);
            }
        }

        @Override
        public void echo(byte[] message, Reply reply) throws IOException {
            incoming.await(reply);
            frames.write(Frames.ECHO, message);
        }

        @Override
        public void broadcast(byte[] message) throws IOException {
            frames.write(Frames.BROADCAST, message);
        }

        @Override
        public void close() throws IOException {
            frames.close();
        }

        @Override
        public void abandon() throws IOException {
            frames.reset();
        }
    }
}
