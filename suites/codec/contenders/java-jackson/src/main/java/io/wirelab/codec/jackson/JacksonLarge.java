package io.wirelab.codec.jackson;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SequenceWriter;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes are text in base64, as Jackson has them; records are JSON Lines. */
record JacksonLarge(ObjectMapper mapper, Whole<byte[]> blob, Whole<Telemetry> records)
        implements LargeCodec {
    @Override
    public RecordWriter writer(OutputStream file) throws IOException {
        SequenceWriter sequence = mapper.writerFor(TelemetryPoint.class)
                .withRootValueSeparator("\n")
                .writeValues(file);
        return new RecordWriter() {
            @Override
            public void write(TelemetryPoint record) throws IOException {
                sequence.write(record);
            }

            @Override
            public void flush() throws IOException {
                sequence.flush();
            }
        };
    }

    @Override
    public RecordReader reader(InputStream file) throws IOException {
        MappingIterator<TelemetryPoint> sequence =
                mapper.readerFor(TelemetryPoint.class).readValues(file);
        return () -> sequence.hasNextValue() ? sequence.nextValue() : null;
    }
}
