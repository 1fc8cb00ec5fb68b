package io.wirelab.codec.worker;

import java.util.LinkedHashMap;
import java.util.Map;

/** A batch that was run, with the bytes that it allocated and what the JVM did meanwhile. */
record Batch(String phase, long startNs, long endNs, long rounds, int checksum,
        long allocatedBytes, JvmFigures cost) {
    double roundNs() {
        return (double) (endNs - startNs) / rounds;
    }

    Map<String, Object> line(String step, String operation) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        line.put("operation", operation);
        line.put("phase", phase);
        line.put("start_ns", startNs);
        line.put("end_ns", endNs);
        line.put("rounds", rounds);
        line.put("checksum", Integer.toUnsignedLong(checksum));
        line.put("allocated_bytes", allocatedBytes);
        line.putAll(cost.collections());
        return line;
    }
}
