package io.wirelab.sdk;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Events of a worker: one JSON object a line on standard output. Safe from several threads.
 *
 * <p>A line that cannot be written throws {@link UncheckedIOException}: the core is gone, and a
 * worker that nobody listens to has nothing left to do.
 */
public final class Events {
    /** The contract asks for no more errors of a class than these. */
    static final int ERRORS_OF_A_CLASS = 100;

    /** Characters kept of a message; escaped six-fold it still fits the contract's 64 KiB line. */
    static final int MESSAGE_LIMIT = 8_000;

    private static final int NAME_LIMIT = 200;

    private final OutputStream out;
    private final Map<String, Integer> errors = new HashMap<>();
    private boolean done;

    Events(OutputStream out) {
        this.out = out;
    }

    /**
     * Takes standard output for the events alone. What a library prints to {@code System.out}
     * goes to standard error from here on, where it cannot break a line of the contract.
     */
    static Events onStandardOutput() {
        System.setOut(System.err);
        return new Events(new FileOutputStream(FileDescriptor.out));
    }

    /** Says {@code ready}, with what the worker adds: library, endpoint, facts, capabilities. */
    public void ready(Map<String, ?> said) {
        Map<String, Object> event = event("ready");
        event.put("contract", (long) Spec.CONTRACT);
        event.put("monotonic_ns", System.nanoTime());
        event.put("runtime", Map.of(
                "name", System.getProperty("java.vm.name"),
                "version", System.getProperty("java.runtime.version")));
        event.putAll(said);
        say(event);
    }

    /** Says how many records there are so far; no more than once a second. */
    public void progress(long records) {
        Map<String, Object> event = event("progress");
        event.put("records", records);
        say(event);
    }

    /** Says that a step of a closed loop has ended: its begin and end on CLOCK_MONOTONIC. */
    public void step(String name, long beginNs, long endNs) {
        Map<String, Object> event = event("step");
        event.put("name", name);
        event.put("begin_ns", beginNs);
        event.put("end_ns", endNs);
        say(event);
    }

    /** Says what the runtime knows of itself. */
    void runtime(Map<String, ?> figures) {
        Map<String, Object> event = event("runtime");
        event.put("monotonic_ns", System.nanoTime());
        event.putAll(figures);
        say(event);
    }

    /**
     * Says a fault, unless its class was already said often enough.
     *
     * @param operation name of the operation; empty for none
     * @param intendedNs when the operation was to start; 0 for none
     * @param monotonicNs when the fault was seen
     */
    public void error(Fault fault, String operation, long intendedNs, long monotonicNs) {
        synchronized (errors) {
            int before = errors.merge(fault.kind(), 1, Integer::sum) - 1;
            if (before >= ERRORS_OF_A_CLASS && fault.scope() != Fault.Scope.FATAL) {
                return;
            }
        }
        Map<String, Object> event = event("error");
        event.put("class", shortened(fault.kind(), NAME_LIMIT));
        event.put("status", shortened(fault.status(), NAME_LIMIT));
        event.put("message", shortened(fault.message(), MESSAGE_LIMIT));
        event.put("scope", fault.scope().name().toLowerCase(Locale.ROOT));
        event.put("operation", operation);
        event.put("intended_ns", intendedNs);
        event.put("monotonic_ns", monotonicNs);
        say(event);
    }

    /** Says {@code done}; whatever is said later is dropped, as nothing may follow it. */
    void done(long records, long answers, String checksum) {
        done(records, answers, checksum, null);
    }

    /**
     * Says {@code done} of a worker that may have repeated in batches.
     *
     * @param batches lines of the batch file; null where there is none
     */
    void done(long records, long answers, String checksum, Long batches) {
        Map<String, Object> event = event("done");
        event.put("records", records);
        event.put("answers", answers);
        event.put("checksum", checksum);
        if (batches != null) {
            event.put("batches", batches);
        }
        synchronized (out) {
            say(event);
            done = true;
        }
    }

    private static Map<String, Object> event(String name) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("event", name);
        return event;
    }

    private void say(Map<String, ?> event) {
        byte[] line = (JsonWriter.write(event) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            if (done) {
                return;
            }
            try {
                out.write(line);
                out.flush();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private static String shortened(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit - 1) + "…";
    }
}
