package io.wirelab.codec.worker;

import io.wirelab.codec.Subject;
import io.wirelab.sdk.BatchPlan;
import io.wirelab.sdk.BatchWorker;
import io.wirelab.sdk.JsonReader;
import io.wirelab.sdk.JvmFigures;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Reading what others wrote, and what nobody should have written. */
final class Conformance {
    private static final int LENGTHS = 2_048;

    private final BatchWorker worker;
    private final Path suite;
    private final String format;

    Conformance(BatchWorker worker, Path suite, String format) {
        this.worker = worker;
        this.suite = suite;
        this.format = format;
    }

    /** Answers what the spec asks of it for a step. */
    void of(Subject subject) throws IOException {
        if (asked("read")) {
            for (BatchPlan.Input input : worker.plan().inputs()) {
                if (format.equals(input.facts().get("format"))) {
                    read(subject, input);
                }
            }
        }
        if (asked("truncate")) {
            truncate(subject);
        }
        if (asked("reject")) {
            reject(subject);
        }
    }

    private boolean asked(String operation) {
        return worker.spec().operations().containsKey(operation);
    }

    private void read(Subject subject, BatchPlan.Input input) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(input.answers())) {
            String line = lines.readLine();
            while (line != null && !worker.stopped()) {
                // Values of other lines may be numbers that our reader of JSON does not take.
                if (line.contains("\"hex\"")) {
                    readLine(subject, input.contender(), (Map<?, ?>) JsonReader.read(line));
                }
                line = lines.readLine();
            }
        }
    }

    private void readLine(Subject subject, String encoder, Map<?, ?> given) throws IOException {
        if ("preflight".equals(given.get("phase")) && "encode".equals(given.get("operation"))
                && subject.step().equals(given.get("step"))
                && given.get("tick") instanceof Long tick && tick < subject.size()
                && given.get("answer") instanceof Map<?, ?> encoded) {
            byte[] content = HexFormat.of().parseHex((String) encoded.get("hex"));
            Answer answer = new Answer("measure", "read", subject.step(), tick)
                    .put("from", encoder);
            decode(subject, content, answer);
            worker.answers().add(answer.line());
        }
    }

    /** A prefix counts as accepted when all of it can be read, as of a view nobody else would. */
    private void truncate(Subject subject) throws IOException {
        Answer answer = new Answer("measure", "truncate", subject.step(), 0);
        byte[] whole = answer.time(() -> subject.encode(0));
        if (whole != null) {
            List<Integer> accepted = new ArrayList<>();
            for (int length = 0; length < Math.min(whole.length, LENGTHS); length++) {
                try {
                    subject.decode(Arrays.copyOf(whole, length)).neutral();
                    accepted.add(length);
                } catch (Throwable rejected) {
                    // Which one it is does not matter here.
                }
            }
            answer.put("answer", Map.of("length", whole.length, "accepted", accepted));
        }
        worker.answers().add(answer.line());
    }

    private void reject(Subject subject) throws IOException {
        byte[] file = Files.readAllBytes(suite.resolve("vectors").resolve("negative.json"));
        int number = 0;
        for (Object one : (List<?>) JsonReader.read(file)) {
            Map<?, ?> vector = (Map<?, ?>) one;
            if (format.equals(vector.get("format"))
                    && subject.step().equals(vector.get("step"))) {
                byte[] content = HexFormat.of().parseHex((String) vector.get("hex"));
                Answer answer = new Answer("measure", "reject", subject.step(), number)
                        .put("vector", vector.get("name"));
                decode(subject, content, answer);
                worker.answers().add(answer.line());
            }
            number++;
        }
    }

    private static void decode(Subject subject, byte[] content, Answer answer) {
        long before = JvmFigures.allocated();
        Subject.Decoded decoded = answer.time(() -> subject.decode(content));
        answer.put("allocated_bytes", JvmFigures.allocated() - before);
        if (decoded != null) {
            answer.value(decoded::neutral);
        }
    }
}
