package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.util.ArrayList;
import java.util.List;

/** A thousand points. */
final class CgdTelemetryCodec implements NativeCodec<Telemetry> {
    static final int POINT = Long.BYTES + Double.BYTES + Integer.BYTES;

    @Override
    public byte[] encode(Telemetry value) {
        List<TelemetryPoint> points = value.points;
        CgdWriter writer = new CgdWriter(CgdSize.COUNT + POINT * points.size())
                .append(points.size());
        for (int i = 0; i < points.size(); i++) {
            append(writer, points.get(i));
        }
        return writer.toBytes();
    }

    @Override
    public Telemetry decode(byte[] bytes) {
        CgdReader reader = new CgdReader(bytes);
        int count = reader.extractCount(POINT);
        Telemetry value = new Telemetry();
        value.points = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.points.add(extract(reader));
        }
        return value;
    }

    static void append(CgdWriter writer, TelemetryPoint point) {
        writer.append(point.time).append(point.value).append(point.quality);
    }

    static TelemetryPoint extract(CgdReader reader) {
        TelemetryPoint point = new TelemetryPoint();
        point.time = reader.extractLong();
        point.value = reader.extractDouble();
        point.quality = reader.extractInt();
        return point;
    }
}
