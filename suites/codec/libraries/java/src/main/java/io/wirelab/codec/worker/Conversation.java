package io.wirelab.codec.worker;

import io.wirelab.codec.Library;
import io.wirelab.codec.loops.StopSignal;
import io.wirelab.sdk.JsonReader;
import io.wirelab.sdk.JsonWriter;
import io.wirelab.sdk.Spec;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What is said to the core and heard from it. Not the SDK's own: its {@code done} cannot say how
 * many batches there are, and its runtime events come from a thread that would share the core with
 * a loop.
 */
final class Conversation {
    private static final long RUNTIME_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final StopSignal stop;
    private long saidRuntimeNs;

    /** Takes standard output for events alone; {@code stop} is given when the core says so. */
    Conversation(StopSignal stop) {
        this.stop = stop;
        System.setOut(System.err);
    }

    void ready(Library library, Map<String, ?> facts) throws IOException {
        Map<String, Object> event = event("ready");
        event.put("contract", Spec.CONTRACT);
        event.put("monotonic_ns", System.nanoTime());
        event.put("library", Map.of("name", library.name(), "version", library.version()));
        event.put("runtime", Map.of(
                "name", System.getProperty("java.vm.name"),
                "version", System.getProperty("java.runtime.version")));
        event.put("facts", facts);
        say(event);
    }

    /** Waits for tick 0; false when told to stop before. */
    boolean awaitStart() throws IOException, InterruptedException {
        String line = in.readLine();
        if (line == null || !(JsonReader.read(line) instanceof Map<?, ?> command)
                || !"start".equals(command.get("command"))) {
            stop.give();
            return false;
        }
        listenForStop();
        long startNs = (Long) command.get("monotonic_ns");
        TimeUnit.NANOSECONDS.sleep(startNs - System.nanoTime());
        return !stop.given();
    }

    /** Says how the runtime is, at most once a second. */
    void sayRuntime() throws IOException {
        if (System.nanoTime() - saidRuntimeNs >= RUNTIME_PERIOD_NS) {
            saidRuntimeNs = System.nanoTime();
            runtime();
        }
    }

    void done(LineFile answers, LineFile batches) throws IOException {
        runtime();
        Map<String, Object> event = event("done");
        event.put("records", 0);
        event.put("answers", answers.lines());
        event.put("checksum", answers.lines() == 0 ? "00000000" : answers.checksum());
        event.put("batches", batches.lines());
        say(event);
    }

    /** Says why the worker ends. */
    void giveUp(Throwable why) {
        Failure failure = Failure.of(why);
        Map<String, Object> event = event("error");
        event.put("class", failure.kind());
        event.put("status", "");
        event.put("message", failure.message());
        event.put("scope", "fatal");
        event.put("operation", "");
        event.put("intended_ns", 0);
        event.put("monotonic_ns", System.nanoTime());
        try {
            say(event);
        } catch (IOException unheard) {
            System.err.println("nor can it be said: " + unheard.getMessage());
        }
    }

    private void runtime() throws IOException {
        Map<String, Object> event = event("runtime");
        event.put("monotonic_ns", System.nanoTime());
        event.putAll(JvmFigures.heap());
        event.putAll(JvmFigures.now().collections());
        say(event);
    }

    private void listenForStop() {
        Thread thread = new Thread(() -> {
            try {
                in.readLine();
            } catch (IOException broken) {
                System.err.println("standard input cannot be read: " + broken.getMessage());
            }
            stop.give();
        }, "wirelab-commands");
        thread.setDaemon(true);
        thread.start();
    }

    private static Map<String, Object> event(String name) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("event", name);
        return event;
    }

    private void say(Map<String, ?> event) throws IOException {
        out.write((JsonWriter.write(event) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
