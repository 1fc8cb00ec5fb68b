package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.util.ArrayList;

/** A thousand points. */
final class ProtobufTelemetryCodec implements MessageCodec<Telemetry, codec.proto.Telemetry> {
    @Override
    public codec.proto.Telemetry toMessage(Telemetry value) {
        codec.proto.Telemetry.Builder message = codec.proto.Telemetry.newBuilder();
        for (int i = 0; i < value.points.size(); i++) {
            TelemetryPoint point = value.points.get(i);
            message.addPoints(codec.proto.TelemetryPoint.newBuilder()
                    .setTime(point.time)
                    .setValue(point.value)
                    .setQuality(point.quality)
                    .build());
        }
        return message.build();
    }

    @Override
    public byte[] encode(codec.proto.Telemetry message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.Telemetry decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.Telemetry.parseFrom(bytes);
    }

    @Override
    public Telemetry fromMessage(codec.proto.Telemetry message) {
        Telemetry value = new Telemetry();
        value.points = new ArrayList<>(message.getPointsCount());
        for (int i = 0; i < message.getPointsCount(); i++) {
            codec.proto.TelemetryPoint said = message.getPoints(i);
            TelemetryPoint point = new TelemetryPoint();
            point.time = said.getTime();
            point.value = said.getValue();
            point.quality = said.getQuality();
            value.points.add(point);
        }
        return value;
    }

    @Override
    public int fold(codec.proto.Telemetry message) {
        int length = message.getPointsCount();
        int sum = Fold.LENGTH * length;
        for (int i = 0; i < length; i++) {
            codec.proto.TelemetryPoint point = message.getPoints(i);
            sum += 3 * (int) point.getTime() + 5 * Fold.floating(point.getValue())
                    + 7 * point.getQuality();
        }
        return sum;
    }
}
