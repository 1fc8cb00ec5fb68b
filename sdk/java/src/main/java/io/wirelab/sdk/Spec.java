package io.wirelab.sdk;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Work of one worker in one trial: the typed view of the file {@code WIRELAB_SPEC}. */
public record Spec(
        String trial,
        String suite,
        String scenario,
        String variant,
        String contender,
        String role,
        long seed,
        Fields parameters,
        String listen,
        Fields endpoints,
        Fields facts,
        Map<String, Timed> operations,
        Schedule schedule,
        Verify verify,
        Paths paths,
        Limits limits) {

    /** The version of the worker contract spoken here. */
    static final int CONTRACT = 2;

    /**
     * A kind of timed call.
     *
     * @param code the op byte of its records
     * @param every due at every tick that this divides
     * @param items items of one call
     * @param due {@code tick}, {@code join} or {@code step}
     * @param record {@code samples}, or {@code intervals} for what is only counted
     */
    public record Timed(String name, int code, int every, int items, String due, String record) {
        /** An operation that is due at ticks and recorded one by one. */
        public Timed(String name, int code, int every, int items) {
            this(name, code, every, items, "tick", "samples");
        }

        /** Tells whether the operation is due at {@code tick}. */
        public boolean dueAt(long tick) {
            return tick % every == 0;
        }

        /** Number of ticks from {@code from} to before {@code to} at which it is due. */
        public long dueWithin(long from, long to) {
            return Math.floorDiv(to - 1, (long) every) - Math.floorDiv(from - 1, (long) every);
        }
    }

    /**
     * Times at which ticks are intended: tick i at start + firstNs + i * periodNs, for count ticks;
     * in a closed loop as soon as the last one has ended.
     *
     * @param cycleLength a lane is due at {@code cycleActive} of so many ticks
     * @param steps parts with a load of their own; none for a single lane
     */
    public record Schedule(long firstNs, long periodNs, long count, long warmup, boolean closed,
            long cycleLength, long cycleActive, List<Step> steps) {}

    /**
     * A part of the schedule with a load of its own; {@code first}, {@code count} and
     * {@code settle} in ticks.
     *
     * @param parameters the spec's, with what this step changes
     */
    public record Step(String name, long first, long count, long settle, int users, int lanes,
            long joinNs, Fields parameters) {}

    /** Number of times that operations are performed, and answered, before ready. */
    public record Verify(Map<String, Integer> preflight) {}

    /** The files to write. */
    public record Paths(Path samples, Path answers, Path intervals, Path scratch) {}

    /** The longest times allowed, in nanoseconds. */
    public record Limits(long readyNs, long operationNs, long stopNs) {
        /** The longest time of an operation in whole milliseconds, as most libraries take it. */
        public int operationMs() {
            return Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(operationNs));
        }
    }

    /**
     * The spec in the file at {@code path}.
     *
     * @throws IOException if the file cannot be read
     * @throws JsonException if it is not a spec of contract 2; the message names the key
     */
    public static Spec load(Path path) throws IOException {
        return of(Fields.of("", JsonReader.read(Files.readAllBytes(path))));
    }

    /**
     * Address at which a server is to bind; port 0 lets the system choose.
     *
     * @throws JsonException if {@code listen} is not HOST:PORT
     */
    public InetSocketAddress listenAddress() {
        return address("listen", listen);
    }

    /**
     * Address of a role that is ready.
     *
     * @throws JsonException if its endpoint is not HOST:PORT
     */
    public InetSocketAddress endpointAddress(String role) {
        return address("endpoints." + role, endpoints.text(role));
    }

    private static InetSocketAddress address(String key, String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon > 0) {
                return new InetSocketAddress(text.substring(0, colon),
                        Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (IllegalArgumentException noPort) {
            // Said below, together with what has no colon at all.
        }
        throw new JsonException(key + ": expected HOST:PORT, found " + text);
    }

    /** The operation called {@code name}; throws {@link JsonException} if the spec has none. */
    public Timed operation(String name) {
        Timed operation = operations.get(name);
        if (operation == null) {
            throw new JsonException("operations: expected " + name + " among "
                    + operations.keySet());
        }
        return operation;
    }

    static Spec of(Fields root) {
        Fields paths = root.object("paths");
        Fields limits = root.object("limits");
        long contract = root.integer("contract");
        if (contract != CONTRACT) {
            throw new JsonException("contract: expected " + CONTRACT + ", found " + contract);
        }
        return new Spec(
                root.text("trial"),
                root.text("suite"),
                root.text("scenario"),
                root.text("variant", ""),
                root.text("contender"),
                root.text("role"),
                root.integer("seed", 0),
                root.objectOrEmpty("parameters"),
                root.text("listen", "127.0.0.1:0"),
                root.objectOrEmpty("endpoints"),
                root.objectOrEmpty("facts"),
                operations(root.objectOrEmpty("operations")),
                schedule(root.object("schedule"), root.objectOrEmpty("parameters")),
                verify(root.objectOrEmpty("verify")),
                new Paths(Path.of(paths.text("samples")), Path.of(paths.text("answers")),
                        Path.of(paths.text("intervals", "")), Path.of(paths.text("scratch"))),
                new Limits(limits.integer("ready_ns"), limits.integer("operation_ns"),
                        limits.integer("stop_ns")));
    }

    private static Map<String, Timed> operations(Fields byName) {
        Map<String, Timed> operations = new LinkedHashMap<>();
        for (String name : byName.keys()) {
            Fields fields = byName.object(name);
            operations.put(name, new Timed(
                    name,
                    fields.integerWithin("code", 1, 255),
                    fields.has("every") ? fields.integerWithin("every", 1, Integer.MAX_VALUE) : 1,
                    fields.has("items") ? fields.integerWithin("items", 1, Integer.MAX_VALUE) : 1,
                    fields.text("due", "tick"),
                    fields.text("record", "samples")));
        }
        return operations;
    }

    private static Schedule schedule(Fields fields, Fields parameters) {
        Fields cycle = fields.objectOrEmpty("cycle");
        Schedule schedule = new Schedule(fields.integer("first_ns"), fields.integer("period_ns"),
                fields.integer("count"), fields.integer("warmup", 0),
                fields.text("loop", "open").equals("closed"),
                cycle.integer("length", 1), cycle.integer("active", 1),
                fields.objects("steps").stream().map(step -> step(step, parameters)).toList());
        if (schedule.count() > 0 && schedule.periodNs() < 1) {
            throw new JsonException("schedule.period_ns: expected at least 1, found "
                    + schedule.periodNs());
        }
        return schedule;
    }

    private static Step step(Fields fields, Fields parameters) {
        return new Step(fields.text("name"), fields.integer("first"), fields.integer("count"),
                fields.integer("settle"), fields.integerWithin("users", 1, Integer.MAX_VALUE),
                fields.integerWithin("lanes", 1, Integer.MAX_VALUE), fields.integer("join_ns", 0),
                parameters.with(fields.objectOrEmpty("parameters")));
    }

    private static Verify verify(Fields fields) {
        Map<String, Integer> preflight = new LinkedHashMap<>();
        Fields calls = fields.objectOrEmpty("preflight");
        for (String name : calls.keys()) {
            preflight.put(name, calls.integerWithin(name, 0, Integer.MAX_VALUE));
        }
        return new Verify(preflight);
    }
}
