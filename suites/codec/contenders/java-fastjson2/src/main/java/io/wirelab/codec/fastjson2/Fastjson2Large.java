package io.wirelab.codec.fastjson2;

import com.alibaba.fastjson2.JSON;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Records are JSON Lines. */
record Fastjson2Large(Whole<byte[]> blob, Whole<Telemetry> records) implements LargeCodec {
    @Override
    public RecordWriter writer(OutputStream file) {
        return record -> {
            JSON.writeTo(file, record);
            file.write('\n');
        };
    }

    /** A line at a time: what the library has for JSON Lines hands records over, all of them. */
    @Override
    public RecordReader reader(InputStream file) {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
        return () -> {
            String line = lines.readLine();
            return line == null ? null : JSON.parseObject(line, TelemetryPoint.class);
        };
    }
}
