package io.wirelab.codec.worker;

import io.wirelab.sdk.Failure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** A line of the answers file that is being made. */
final class Answer {
    private final Map<String, Object> line = new LinkedHashMap<>();

    Answer(String phase, String operation, String step, long tick) {
        line.put("phase", phase);
        line.put("operation", operation);
        line.put("step", step);
        line.put("tick", tick);
    }

    Map<String, Object> line() {
        return line;
    }

    Answer put(String key, Object value) {
        line.put(key, value);
        return this;
    }

    /** Result of {@code call}; null when it threw, which the line then says. */
    <T> T time(Callable<T> call) {
        long startNs = System.nanoTime();
        T given = null;
        try {
            given = call.call();
            stamp(startNs);
        } catch (Throwable thrown) {
            stamp(startNs);
            failed(thrown);
        }
        return given;
    }

    /** The value that {@code read} gives as the answer, or what it threw. */
    void value(Callable<Object> read) {
        try {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("value", read.call());
            line.put("answer", answer);
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    private void stamp(long startNs) {
        line.put("start_ns", startNs);
        line.put("end_ns", System.nanoTime());
    }

    private void failed(Throwable thrown) {
        line.put("error", Failure.of(thrown).members());
    }
}
