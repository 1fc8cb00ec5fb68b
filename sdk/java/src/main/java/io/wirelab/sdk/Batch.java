package io.wirelab.sdk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A batch that was run, with the bytes that it allocated and what the JVM did meanwhile. */
record Batch(String phase, long startNs, long endNs, long iterations, int checksum,
        long allocatedBytes, JvmFigures cost) {
    long tookNs() {
        return endNs - startNs;
    }

    double iterationNs() {
        return (double) tookNs() / iterations;
    }

    /** The line of the batch file, without its step and operation. */
    Map<String, Object> line() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("phase", phase);
        line.put("start_ns", startNs);
        line.put("end_ns", endNs);
        line.put("rounds", iterations);
        line.put("checksum", Integer.toUnsignedLong(checksum));
        line.put("allocated_bytes", allocatedBytes);
        line.putAll(cost.collections());
        line.put("compile_ns", TimeUnit.MILLISECONDS.toNanos(cost.compiledMs()));
        return line;
    }
}
