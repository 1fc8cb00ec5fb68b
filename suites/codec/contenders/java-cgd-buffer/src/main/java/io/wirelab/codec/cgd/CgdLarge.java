package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes are a list of bytes; records, all of one size, follow each other with nothing between. */
final class CgdLarge implements LargeCodec {
    @Override
    public Whole<byte[]> blob() {
        return new Whole<>(
                blob -> new CgdWriter(CgdSize.COUNT + blob.length).appendBytes(blob).toBytes(),
                bytes -> new CgdReader(bytes).extractBytes());
    }

    @Override
    public Whole<Telemetry> records() {
        return Whole.of(new CgdTelemetryCodec());
    }

    @Override
    public RecordWriter writer(OutputStream file) {
        return record -> {
            CgdWriter writer = new CgdWriter(CgdTelemetryCodec.POINT);
            CgdTelemetryCodec.append(writer, record);
            file.write(writer.toBytes());
        };
    }

    @Override
    public RecordReader reader(InputStream file) {
        return () -> {
            byte[] bytes = file.readNBytes(CgdTelemetryCodec.POINT);
            return bytes.length == 0 ? null : CgdTelemetryCodec.extract(new CgdReader(bytes));
        };
    }
}
