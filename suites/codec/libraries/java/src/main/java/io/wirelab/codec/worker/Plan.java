package io.wirelab.codec.worker;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.JsonReader;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the spec says of batches, which the SDK's {@link Spec} does not know.
 *
 * @param steps names of the shapes, in order
 * @param timed operations that are repeated in loops, in order
 * @param untimed the other operations
 * @param rounds rounds of a batch; 0 to calibrate
 * @param batchNs how long a batch is to take
 * @param count batches to measure; 0 to time nothing
 * @param warmupNs how long to warm up at most, since calibrating began
 * @param prewarmNs processor time for which the operations of a step are repeated before any of
 *     them is calibrated: the tuning {@code prewarm_ms}
 * @param agree how far three batches may lie from their median, as a share of it
 * @param inputs answers of other contenders
 */
record Plan(Fields parameters, Spec.Paths paths, Path batchFile, List<String> steps,
        List<String> timed, List<String> untimed, long rounds, long batchNs, long count,
        long warmupNs, long prewarmNs, double agree, List<Input> inputs) {

    /** Answers that {@code contender} gave, in a format. */
    record Input(String contender, String format, Path answers) {}

    static Plan load(Path path) throws IOException {
        Spec spec = Spec.load(path);
        Map<?, ?> root = members(JsonReader.read(Files.readAllBytes(path)));
        Map<?, ?> batches = members(root.get("batches"));
        List<String> timed = new ArrayList<>();
        List<String> untimed = new ArrayList<>();
        members(root.get("operations")).forEach((name, operation) -> {
            boolean looped = "batches".equals(members(operation).get("record"));
            (looped ? timed : untimed).add((String) name);
        });
        return new Plan(
                spec.parameters(),
                spec.paths(),
                Path.of((String) members(root.get("paths")).get("batches")),
                ((List<?>) batches.get("steps")).stream().map(String.class::cast).toList(),
                timed,
                untimed,
                (Long) batches.get("rounds"),
                (Long) batches.get("batch_ns"),
                (Long) batches.get("count"),
                (Long) batches.get("warmup_ns"),
                TimeUnit.MILLISECONDS.toNanos(spec.parameters().integer("prewarm_ms", 0)),
                ((Number) batches.get("agree")).doubleValue(),
                root.get("inputs") instanceof List<?> inputs
                        ? inputs.stream().map(Plan::input).toList() : List.of());
    }

    private static Input input(Object input) {
        Map<?, ?> members = members(input);
        return new Input(
                (String) members.get("contender"),
                (String) members(members.get("facts")).get("format"),
                Path.of((String) members.get("answers")));
    }

    private static Map<?, ?> members(Object value) {
        return (Map<?, ?>) value;
    }
}
