package io.wirelab.codec.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes are in the library's own message for them; records have their lengths before them. */
final class ProtobufLarge implements LargeCodec {
    @Override
    public Whole<byte[]> blob() {
        return new Whole<>(
                blob -> BytesValue.of(ByteString.copyFrom(blob)).toByteArray(),
                bytes -> BytesValue.parseFrom(bytes).getValue().toByteArray());
    }

    @Override
    public Whole<Telemetry> records() {
        return Whole.of(new ProtobufTelemetryCodec());
    }

    @Override
    public RecordWriter writer(OutputStream file) {
        return record -> codec.proto.TelemetryPoint.newBuilder()
                .setTime(record.time)
                .setValue(record.value)
                .setQuality(record.quality)
                .build()
                .writeDelimitedTo(file);
    }

    @Override
    public RecordReader reader(InputStream file) {
        return () -> {
            codec.proto.TelemetryPoint said = codec.proto.TelemetryPoint.parseDelimitedFrom(file);
            if (said == null) {
                return null;
            }
            TelemetryPoint point = new TelemetryPoint();
            point.time = said.getTime();
            point.value = said.getValue();
            point.quality = said.getQuality();
            return point;
        };
    }
}
