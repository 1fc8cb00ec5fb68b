package io.wirelab.sdk;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts and durations of an operation in one second after tick 0. Lines of the same second and
 * operation add up.
 *
 * @param second by the operations' intended times
 * @param step the step of a closed loop; empty in any other
 * @param counts exact counts, by name
 * @param service from the start of each operation; left out when empty
 * @param response from its intended time; left out when empty
 */
public record Interval(long second, String operation, String step, Map<String, Long> counts,
        Durations service, Durations response) {
    /** A line of the interval file. */
    String line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("second", second);
        line.put("operation", operation);
        if (!step.isEmpty()) {
            line.put("step", step);
        }
        line.put("counts", counts);
        if (!service.isEmpty()) {
            line.put("service", service.encoded());
        }
        if (!response.isEmpty()) {
            line.put("response", response.encoded());
        }
        return JsonWriter.write(line) + "\n";
    }
}
