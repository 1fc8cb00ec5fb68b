package io.wirelab.codec.large;

import io.wirelab.codec.shapes.TelemetryPoint;

/** Sink of records, one after the other. */
@FunctionalInterface
public interface RecordWriter {
    /** Writes one more. */
    void write(TelemetryPoint record) throws Exception;

    /** Hands over what it still has. */
    default void flush() throws Exception {}
}
