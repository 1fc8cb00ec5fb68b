package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** A thousand points. */
final class MsgpackTelemetryCodec implements NativeCodec<Telemetry> {
    private static final int FIELDS = 1;
    private static final int POINT_FIELDS = 3;

    @Override
    public byte[] encode(Telemetry value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(FIELDS);
        packer.packString("points").packArrayHeader(value.points.size());
        for (int i = 0; i < value.points.size(); i++) {
            pack(packer, value.points.get(i));
        }
        return packer.toByteArray();
    }

    static void pack(MessagePacker packer, TelemetryPoint point) throws IOException {
        packer.packMapHeader(POINT_FIELDS);
        packer.packString("time").packLong(point.time);
        packer.packString("value").packDouble(point.value);
        packer.packString("quality").packInt(point.quality);
    }

    @Override
    public Telemetry decode(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        Telemetry value = new Telemetry();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "points" -> value.points = unpackPoints(unpacker);
                default -> unpacker.skipValue();
            }
        }
        return value;
    }

    private static List<TelemetryPoint> unpackPoints(MessageUnpacker unpacker)
            throws IOException {
        int size = unpacker.unpackArrayHeader();
        List<TelemetryPoint> points = Packing.list(size);
        for (int i = 0; i < size; i++) {
            points.add(unpackPoint(unpacker));
        }
        return points;
    }

    static TelemetryPoint unpackPoint(MessageUnpacker unpacker) throws IOException {
        TelemetryPoint point = new TelemetryPoint();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "time" -> point.time = unpacker.unpackLong();
                case "value" -> point.value = Packing.unpackNumber(unpacker);
                case "quality" -> point.quality = unpacker.unpackInt();
                default -> unpacker.skipValue();
            }
        }
        return point;
    }
}
