package io.wirelab.codec.worker;

import io.wirelab.codec.PooledShape;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import io.wirelab.codec.shapes.TelemetryShape;
import io.wirelab.sdk.Answers;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Repeated;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Large messages of one form and size. */
final class LargeStep implements Repeated {
    static final String TO_BYTES = "to_bytes";
    static final String FROM_BYTES = "from_bytes";

    /** The directions, at the ticks of their answers. */
    static final List<String> DIRECTIONS = List.of(TO_BYTES, FROM_BYTES);

    private static final int MEGABYTE = 1_000_000;
    private static final int RECORD = 20;
    private static final int MODULUS = 251;

    private final LargeCodec codec;
    private final Path suite;
    private final String step;

    LargeStep(LargeCodec codec, Path suite, String step) {
        this.codec = codec;
        this.suite = suite;
        this.step = step;
    }

    /** A direction, ready to be done again and again. */
    @FunctionalInterface
    interface Task {
        /** Does it; the fold of what came out, of which {@code told} is given what is asked. */
        int run(Map<String, Object> told) throws Exception;
    }

    @Override
    public String step() {
        return step;
    }

    @Override
    public List<String> operations() {
        return DIRECTIONS;
    }

    @Override
    public Loop loop(String operation) throws Exception {
        Task task = task(operation);
        return new Loop(1) {
            @Override
            protected int pass(int iterations) throws Exception {
                return task.run(new TreeMap<>());
            }
        };
    }

    /** Tells what came out in either direction, and how much memory it took. */
    void answer(Answers answers) throws IOException {
        for (int tick = 0; tick < DIRECTIONS.size(); tick++) {
            String direction = DIRECTIONS.get(tick);
            Answer answer = new Answer("measure", "once", step, tick);
            Map<String, Object> told = answer.time(() -> told(direction));
            if (told != null) {
                answer.put("answer", told);
            }
            answers.add(answer.line());
        }
    }

    private Map<String, Object> told(String direction) throws Exception {
        Task task = task(direction);
        Map<String, Object> told = new TreeMap<>();
        HeapUse use = HeapUse.of(() -> task.run(told));
        told.put("before_bytes", use.before());
        told.put("peak_bytes", use.peak());
        return told;
    }

    private Task task(String direction) throws Exception {
        int dash = step.indexOf('-');
        int size = MEGABYTE * Integer.parseInt(step.substring(dash + 1));
        List<TelemetryPoint> points =
                PooledShape.load(suite, new TelemetryShape()).pool().get(0).points;
        return switch (step.substring(0, dash)) {
            case "blob" -> between(direction, codec.blob(), blob(size), LargeStep::fold);
            case "whole" -> between(direction, codec.records(),
                    records(points, size / RECORD), new TelemetryShape()::fold);
            case "stream" -> {
                Streams streams = new Streams(codec, points, size / RECORD / points.size());
                yield direction.equals(TO_BYTES) ? streams::write : streams.reading();
            }
            default -> throw new IllegalArgumentException("no form of large messages is called " + step);
        };
    }

    /** A fold of native values. */
    @FunctionalInterface
    private interface Folds<N> {
        int of(N value);
    }

    private static <N> Task between(String direction, Whole<N> whole, N value, Folds<N> fold)
            throws Exception {
        if (direction.equals(TO_BYTES)) {
            return told -> {
                byte[] bytes = whole.writes().bytes(value);
                told.put("size", (long) bytes.length);
                told.put("first", (long) (bytes[0] & 0xff));
                told.put("middle", (long) (bytes[bytes.length / 2] & 0xff));
                told.put("last", (long) (bytes[bytes.length - 1] & 0xff));
                return fold(bytes);
            };
        }
        byte[] bytes = whole.writes().bytes(value);
        return told -> {
            int sum = fold.of(whole.reads().value(bytes));
            told.put("fold", Integer.toUnsignedLong(sum));
            return sum;
        };
    }

    private static byte[] blob(int size) {
        byte[] blob = new byte[size];
        for (int k = 0; k < size; k++) {
            blob[k] = (byte) (k % MODULUS);
        }
        return blob;
    }

    private static int fold(byte[] bytes) {
        return Fold.bytes(bytes, bytes.length);
    }

    /** So many records, each an object of its own. */
    private static Telemetry records(List<TelemetryPoint> points, int count) {
        Telemetry value = new Telemetry();
        value.points = new ArrayList<>(count);
        for (int k = 0; k < count; k++) {
            TelemetryPoint from = points.get(k % points.size());
            TelemetryPoint point = new TelemetryPoint();
            point.time = from.time;
            point.value = from.value;
            point.quality = from.quality;
            value.points.add(point);
        }
        return value;
    }
}
