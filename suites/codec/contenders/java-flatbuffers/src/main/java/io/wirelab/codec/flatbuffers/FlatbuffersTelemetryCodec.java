package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A thousand points, which are structs in line. */
final class FlatbuffersTelemetryCodec implements ViewCodec<Telemetry, codec.Telemetry> {
    @Override
    public byte[] encode(Telemetry value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.TELEMETRY_BYTES);
        List<TelemetryPoint> points = value.points;
        codec.Telemetry.startPointsVector(builder, points.size());
        for (int i = points.size() - 1; i >= 0; i--) {
            TelemetryPoint point = points.get(i);
            codec.TelemetryPoint.createTelemetryPoint(builder, point.time, point.value,
                    point.quality);
        }
        builder.finish(codec.Telemetry.createTelemetry(builder, builder.endVector()));
        return builder.sizedByteArray();
    }

    @Override
    public codec.Telemetry decode(byte[] bytes) {
        return codec.Telemetry.getRootAsTelemetry(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.Telemetry view) {
        int length = view.pointsLength();
        int sum = Fold.LENGTH * length;
        codec.TelemetryPoint point = new codec.TelemetryPoint();
        for (int i = 0; i < length; i++) {
            view.points(point, i);
            sum += 3 * (int) point.time() + 5 * Fold.floating(point.value())
                    + 7 * point.quality();
        }
        return sum;
    }

    @Override
    public Telemetry copy(codec.Telemetry view) {
        Telemetry value = new Telemetry();
        value.points = new ArrayList<>();
        for (int i = 0; i < view.pointsLength(); i++) {
            codec.TelemetryPoint seen = view.points(i);
            TelemetryPoint point = new TelemetryPoint();
            point.time = seen.time();
            point.value = seen.value();
            point.quality = seen.quality();
            value.points.add(point);
        }
        return value;
    }
}
