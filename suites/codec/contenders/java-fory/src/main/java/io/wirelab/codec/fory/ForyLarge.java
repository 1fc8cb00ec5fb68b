package io.wirelab.codec.fory;

import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import org.apache.fory.Fory;
import org.apache.fory.io.ForyInputStream;

/** Bytes are an array of Java; records follow each other, for their class says where one ends. */
record ForyLarge(Fory fory, Whole<byte[]> blob, Whole<Telemetry> records) implements LargeCodec {
    @Override
    public RecordWriter writer(OutputStream file) {
        return record -> fory.serialize(file, record);
    }

    /** Fory throws at the end of a file, so that whether it is there is seen before each record. */
    @Override
    public RecordReader reader(InputStream file) {
        PushbackInputStream ahead = new PushbackInputStream(file);
        ForyInputStream input = new ForyInputStream(ahead);
        return () -> input.getBuffer().remaining() == 0 && ended(ahead)
                ? null
                : fory.deserialize(input, TelemetryPoint.class);
    }

    private static boolean ended(PushbackInputStream file) throws IOException {
        int next = file.read();
        if (next >= 0) {
            file.unread(next);
        }
        return next < 0;
    }
}
