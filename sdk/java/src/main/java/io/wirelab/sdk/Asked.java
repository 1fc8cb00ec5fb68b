package io.wirelab.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Answers that the core asks for after their operation. The last results of each lane are kept from
 * their end until it begins again; what was asked meanwhile waits for the end. From any thread.
 */
final class Asked {
    /** An answer that the core wants, by the number of its asking. */
    record Asking(long number, String operation, int lane) {}

    /** An operation that has ended; without an answer it failed. */
    static final class Result {
        private final String operation;
        private final long tick;
        private final long startNs;
        private final long endNs;
        private final Supplier<Map<String, Object>> answer;
        private boolean given;

        Result(String operation, long tick, long startNs, long endNs,
                Supplier<Map<String, Object>> answer) {
            this.operation = operation;
            this.tick = tick;
            this.startNs = startNs;
            this.endNs = endNs;
            this.answer = answer;
        }
    }

    /**
     * Results that are kept of one lane, and what is asked of it. A lane belongs to one thread at a
     * time.
     */
    final class Kept {
        private final Queue<Asking> waiting = new ConcurrentLinkedQueue<>();
        private volatile List<Result> results;
        private volatile boolean answering;

        /** The lane begins its next operations, when an answer that is being given has been. */
        void begin() {
            results = null;
            // Whoever answers says so before it looks for results: one of both sees the other.
            if (answering) {
                synchronized (Asked.this) {
                    return;
                }
            }
        }

        /** The lane's operations have ended. */
        void end(List<Result> brought) {
            results = brought;
            if (!waiting.isEmpty()) {
                answerWaiting();
            }
        }

        /** Answers now, or when the lane has ended what it is at. */
        private void hear(Asking asking) {
            // Waiting first: either the lane that ends sees it, or its results are there.
            waiting.add(asking);
            if (results != null) {
                answerWaiting();
            }
        }

        private void answerWaiting() {
            synchronized (Asked.this) {
                answering = true;
                try {
                    List<Result> brought = results;
                    while (brought != null && !closed && !waiting.isEmpty()) {
                        answer(waiting.remove(), brought);
                    }
                } finally {
                    answering = false;
                }
            }
        }
    }

    private final Answers answers;
    private final Recorder recorder;
    private final Map<Integer, Kept> lanes = new ConcurrentHashMap<>();
    private boolean closed;

    /**
     * Lines that are to be written to {@code answers}, after all that {@code recorder} has by then.
     */
    Asked(Answers answers, Recorder recorder) {
        this.answers = answers;
        this.recorder = recorder;
    }

    /** The lane of that number. */
    Kept lane(int number) {
        return lanes.computeIfAbsent(number, added -> new Kept());
    }

    /** The core asks for an answer. */
    void hear(Asking asking) {
        lane(asking.lane()).hear(asking);
    }

    /** Answers nothing any more: the file is about to be closed. */
    synchronized void close() {
        closed = true;
    }

    private void answer(Asking asking, List<Result> brought) {
        Result result = brought.stream()
                .filter(one -> one.operation.equals(asking.operation())).findAny().orElse(null);
        try {
            if (result == null) {
                answers.add(line(asking, "none", "nothing"));
            } else if (result.given) {
                answers.add(line(asking, "none", "given"));
            } else if (result.answer == null) {
                answers.add(line(asking, "none", "failed"));
            } else {
                result.given = true;
                give(asking, result);
            }
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private void give(Asking asking, Result result) throws IOException {
        long beginNs = System.nanoTime();
        long records = recorder.publish();
        // In words already here, so that the pause has the whole of it.
        String words = JsonWriter.write(result.answer.get());
        Map<String, Object> line = line(asking, "tick", result.tick);
        line.put("start_ns", result.startNs);
        line.put("end_ns", result.endNs);
        line.put("records", records);
        line.put("pause", List.of(beginNs, System.nanoTime()));
        answers.add(line, words);
        // Records were written to be seen, and so is what says so.
        answers.flush();
    }

    private static Map<String, Object> line(Asking asking, String key, Object value) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("phase", Client.Phase.MEASURE.written());
        line.put("operation", asking.operation());
        line.put("asked", asking.number());
        line.put("lane", (long) asking.lane());
        line.put(key, value);
        return line;
    }
}
