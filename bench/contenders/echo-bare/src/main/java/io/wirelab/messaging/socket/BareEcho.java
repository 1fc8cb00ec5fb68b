package io.wirelab.messaging.socket;

import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Message;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The echo of the contender {@code socket} without the harness: the same frames to the same server, two
 * clock readings, and an array. Nothing is composed, compared or recorded before the loop is over. In the
 * package of the contender, whose server it starts.
 */
public final class BareEcho {
    private BareEcho() {}

    /** Plays the role given; the server is the contender's own. */
    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("client")) {
            Worker.main(BareEcho::play);
        } else {
            SocketTransport.main(arguments);
        }
    }

    private static void play(Worker worker) throws Exception {
        Spec spec = worker.spec();
        Spec.Step step = spec.schedule().steps().get(0);
        Stamps stamps = new Stamps(Math.toIntExact(step.count()));
        byte[] message = new Message(new byte[0], spec.seed()).compose(0, 0,
                spec.parameters().integerWithin("message_bytes", Message.HEADER, Frames.LARGEST));
        try (Socket socket = new Socket()) {
            Frames frames = connect(socket, spec);
            worker.ready(Map.of("library", Map.of("name", "java.net.Socket", "version",
                    System.getProperty("java.version")), "capabilities", List.of("lanes")));
            OptionalLong start = worker.commands().awaitStart();
            if (start.isPresent()) {
                TimeUnit.NANOSECONDS.sleep(start.getAsLong() - System.nanoTime());
                stamps.take(frames, message, worker);
                stamps.record(worker, step, message.length);
            }
        }
    }

    private static Frames connect(Socket socket, Spec spec) throws IOException {
        String[] address = spec.endpoints().text("server").split(":");
        int limitMs = Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs()));
        socket.connect(new InetSocketAddress(address[0], Integer.parseInt(address[1])), limitMs);
        Frames frames = new Frames(socket, SocketTransport.buffers(spec));
        // As the contender has it: it makes another call into the kernel of each read.
        socket.setSoTimeout(limitMs);
        return frames;
    }

    /** Start and end of each echo, CLOCK_MONOTONIC in ns. */
    private static final class Stamps {
        private final long[] startNs;
        private final long[] endNs;
        private int taken;

        Stamps(int count) {
            startNs = new long[count];
            endNs = new long[count];
            // Pages that are touched for the first time would be in the figures.
            Arrays.fill(startNs, -1);
            Arrays.fill(endNs, -1);
        }

        /** The loop that the harness is compared with. */
        void take(Frames frames, byte[] message, Worker worker) throws IOException {
            while (taken < startNs.length && !worker.commands().stopped()) {
                startNs[taken] = System.nanoTime();
                frames.write(Frames.ECHO, message);
                frames.read();
                endNs[taken] = System.nanoTime();
                taken++;
            }
        }

        void record(Worker worker, Spec.Step step, int size) {
            Spec.Timed echo = worker.spec().operation("echo");
            for (int i = 0; i < taken; i++) {
                worker.recorder().record(startNs[i], startNs[i], endNs[i], 2L * size, echo.code(),
                        Status.OK.code(), 0);
            }
            // A step that was stopped has not ended.
            if (taken == startNs.length) {
                worker.events().step(step.name(), startNs[(int) step.settle()], endNs[taken - 1]);
            }
        }
    }
}
