package io.wirelab.codec.large;

import io.wirelab.codec.shapes.Telemetry;
import java.io.InputStream;
import java.io.OutputStream;

/** Codec that a library offers for large messages. */
public interface LargeCodec {
    /** Bytes, as a value of the format. */
    Whole<byte[]> blob();

    /** Many records at once. */
    Whole<Telemetry> records();

    /** Writes records to a file, one after the other. */
    RecordWriter writer(OutputStream file) throws Exception;

    /** Reads records from a file, one after the other. */
    RecordReader reader(InputStream file) throws Exception;
}
