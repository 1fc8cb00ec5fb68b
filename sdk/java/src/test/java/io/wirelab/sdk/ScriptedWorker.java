package io.wirelab.sdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The SDK as a process, for tests from outside: a client without a library whose behaviour the
 * spec's parameters script, and the JSON reader and writer by themselves.
 */
final class ScriptedWorker {
    private ScriptedWorker() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("json")) {
            readJson();
        } else if (arguments.length > 0 && arguments[0].equals("serve")) {
            ServingPart.main(ScriptedServer::new);
        } else if (arguments.length > 0 && arguments[0].equals("lanes")) {
            Worker.main(ScriptedLanes::play);
        } else {
            PacedClient.main(ScriptedClient::new);
        }
    }

    /** For each line of base64: the JSON in it written again, or {@code refused}. */
    private static void readJson() throws IOException {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder out = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                Object value = JsonReader.read(Base64.getDecoder().decode(line));
                String written = JsonWriter.write(value);
                out.append(Base64.getEncoder()
                        .encodeToString(written.getBytes(StandardCharsets.UTF_8)));
            } catch (JsonException refused) {
                out.append("refused");
            }
            out.append('\n');
        }
        System.out.print(out);
    }

    /** Accepts connections, says nothing on them, and closes as the parameters say. */
    private static final class ScriptedServer implements Server {
        private final Fields script;
        private final ServerSocket socket = new ServerSocket();

        ScriptedServer(Spec spec) throws IOException {
            script = spec.parameters();
            socket.bind(spec.listenAddress());
        }

        @Override
        public Map<String, String> library() {
            return Map.of("name", "scripted", "version", "1");
        }

        @Override
        public String endpoint() {
            return "tcp://127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public Map<String, ?> facts() {
            return Map.of("protocol", "silence");
        }

        @Override
        public void close() throws IOException {
            switch (script.text("close", "well")) {
                case "never" -> ScriptedClient.await(Long.MAX_VALUE);
                case "badly" -> throw new IOException("as scripted");
                default -> socket.close();
            }
        }
    }

    /** Answers as the parameters say: late, never, with an exception, or with a bad item. */
    private static final class ScriptedClient implements Client {
        private final Fields script;
        private int refusals;
        private volatile boolean connected;

        ScriptedClient(Spec spec) {
            script = spec.parameters();
            refusals = (int) script.integer("refusals", 0);
            System.out.println("a library that prints to standard output");
            Thread lingering = new Thread(() -> await(Long.MAX_VALUE));
            lingering.start();
        }

        @Override
        public List<String> operations() {
            return List.of("read", "write");
        }

        @Override
        public Request prepare(String operation, Turn turn) {
            boolean scripted = turn.phase() == Phase.MEASURE && operation.equals("read");
            if (scripted && turn.index() == script.integer("hang_at", -1)) {
                return () -> {
                    System.out.println(turn.phase() + " " + operation + " " + turn.index());
                    return new CompletableFuture<>();
                };
            }
            if (scripted && turn.index() == script.integer("throw_at", -1)) {
                return () -> {
                    throw new IOException("as scripted");
                };
            }
            boolean slow = scripted && turn.index() == script.integer("slow_at", -1);
            boolean bad = scripted && turn.index() == script.integer("bad_at", -1);
            return () -> CompletableFuture.supplyAsync(() -> {
                await(slow ? script.integer("slow_ns") : 0);
                List<Fault> faults = bad
                        ? List.of(new Fault(Fault.Scope.ITEM, "Code", "BadItem", "item 3"))
                        : List.of();
                System.out.println(turn.phase() + " " + operation + " " + turn.index());
                return Outcome.answered(faults, () -> Map.of("index", turn.index()));
            });
        }

        @Override
        public Request prepareConnect() {
            return () -> {
                if (refusals-- > 0) {
                    return CompletableFuture.failedFuture(new IOException("refused"));
                }
                connected = true;
                return CompletableFuture.supplyAsync(() -> {
                    await(script.integer("connect_ns", 0));
                    return Outcome.OK;
                });
            };
        }

        @Override
        public boolean connected() {
            return connected;
        }

        @Override
        public Outcome failed(Throwable thrown) {
            return Outcome.failed(connected ? Status.ERROR : Status.REFUSED,
                    Fault.ofCall(thrown, "Scripted"));
        }

        @Override
        public Map<String, String> library() {
            return Map.of("name", "scripted", "version", "1");
        }

        @Override
        public List<String> capabilities() {
            return List.of();
        }

        @Override
        public CompletionStage<?> disconnect() {
            return script.has("hang_at") ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(null);
        }

        private static void await(long ns) {
            try {
                TimeUnit.NANOSECONDS.sleep(ns);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
