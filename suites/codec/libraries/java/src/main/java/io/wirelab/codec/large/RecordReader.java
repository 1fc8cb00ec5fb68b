package io.wirelab.codec.large;

import io.wirelab.codec.shapes.TelemetryPoint;

/** Source of records, one after the other. */
@FunctionalInterface
public interface RecordReader {
    /** The next one; null when there is none. */
    TelemetryPoint next() throws Exception;
}
