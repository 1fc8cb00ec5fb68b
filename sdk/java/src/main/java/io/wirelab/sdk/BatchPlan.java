package io.wirelab.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Batches as the spec has them.
 *
 * @param steps their names, in order
 * @param iterations iterations of a batch; 0 to calibrate
 * @param batchNs how long a batch is to take
 * @param count batches to measure; 0 to time nothing
 * @param warmupNs how long to warm up at most, since calibrating began
 * @param prewarmNs processor time for which operations take turns before one of them is calibrated:
 *     the parameter {@code prewarm_ms}
 * @param agree how far three batches may lie from their median, as a share of it
 * @param counted whether instructions are counted, so that nothing may depend on time
 * @param file where batches are written
 * @param inputs answers of other contenders
 */
public record BatchPlan(List<String> steps, long iterations, long batchNs, long count,
        long warmupNs, long prewarmNs, double agree, boolean counted, Path file, List<Input> inputs) {
    private static final long MILLISECOND_NS = 1_000_000;

    /** Answers that {@code contender} gave in another scenario, where it said {@code facts}. */
    public record Input(String contender, Map<?, ?> facts, Path answers) {}

    static BatchPlan load(Path spec) throws IOException {
        return of(members(JsonReader.read(Files.readAllBytes(spec))));
    }

    /** The plan in a spec; {@link JsonException} where it has none. */
    static BatchPlan of(Map<?, ?> spec) {
        Fields fields = Fields.of("", spec);
        Fields batches = fields.object("batches");
        Fields parameters = fields.object("parameters");
        Map<?, ?> plain = members(spec.get("batches"));
        return new BatchPlan(
                ((List<?>) plain.get("steps")).stream().map(String.class::cast).toList(),
                batches.integer("rounds"),
                batches.integer("batch_ns"),
                batches.integer("count"),
                batches.integer("warmup_ns"),
                parameters.integer("prewarm_ms", 0) * MILLISECOND_NS,
                ((Number) plain.get("agree")).doubleValue(),
                batches.has("counted") && batches.flag("counted"),
                Path.of(fields.object("paths").text("batches")),
                spec.get("inputs") instanceof List<?> inputs
                        ? inputs.stream().map(BatchPlan::input).toList() : List.of());
    }

    private static Input input(Object input) {
        Map<?, ?> members = members(input);
        return new Input((String) members.get("contender"), members(members.get("facts")),
                Path.of((String) members.get("answers")));
    }

    private static Map<?, ?> members(Object value) {
        return (Map<?, ?>) value;
    }
}
