package io.wirelab.codec.gson;

import com.google.gson.Gson;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Records are JSON Lines. */
record GsonLarge(Gson gson, Whole<byte[]> blob, Whole<Telemetry> records) implements LargeCodec {
    @Override
    public RecordWriter writer(OutputStream file) {
        Writer lines = new OutputStreamWriter(file, StandardCharsets.UTF_8);
        return new RecordWriter() {
            @Override
            public void write(TelemetryPoint record) throws IOException {
                gson.toJson(record, lines);
                lines.write('\n');
            }

            @Override
            public void flush() throws IOException {
                lines.flush();
            }
        };
    }

    /** A decoder made anew reports bytes that are not UTF-8 where a charset replaces them. */
    @Override
    public RecordReader reader(InputStream file) {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(file, StandardCharsets.UTF_8.newDecoder()));
        return () -> {
            String line = lines.readLine();
            return line == null ? null : gson.fromJson(line, TelemetryPoint.class);
        };
    }
}
