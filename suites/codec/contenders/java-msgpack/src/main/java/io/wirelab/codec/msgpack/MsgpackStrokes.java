package io.wirelab.codec.msgpack;

import io.wirelab.codec.shapes.Position;
import io.wirelab.codec.shapes.Stroke;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** The lines of a whiteboard's message. */
final class MsgpackStrokes {
    private static final int FIELDS = 3;
    private static final int POSITION_FIELDS = 2;

    private MsgpackStrokes() {}

    static void pack(MessagePacker packer, Stroke stroke) throws IOException {
        packer.packMapHeader(FIELDS);
        packer.packString("color").packString(stroke.color);
        packer.packString("width").packDouble(stroke.width);
        packer.packString("points").packArrayHeader(stroke.points.size());
        for (int i = 0; i < stroke.points.size(); i++) {
            Position position = stroke.points.get(i);
            packer.packMapHeader(POSITION_FIELDS);
            packer.packString("x").packInt(position.x);
            packer.packString("y").packInt(position.y);
        }
    }

    static Stroke unpack(MessageUnpacker unpacker) throws IOException {
        Stroke stroke = new Stroke();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "color" -> stroke.color = unpacker.unpackString();
                case "width" -> stroke.width = Packing.unpackNumber(unpacker);
                case "points" -> stroke.points = unpackPoints(unpacker);
                default -> unpacker.skipValue();
            }
        }
        return stroke;
    }

    private static List<Position> unpackPoints(MessageUnpacker unpacker) throws IOException {
        int size = unpacker.unpackArrayHeader();
        List<Position> points = Packing.list(size);
        for (int i = 0; i < size; i++) {
            points.add(unpackPosition(unpacker));
        }
        return points;
    }

    private static Position unpackPosition(MessageUnpacker unpacker) throws IOException {
        Position position = new Position();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "x" -> position.x = unpacker.unpackInt();
                case "y" -> position.y = unpacker.unpackInt();
                default -> unpacker.skipValue();
            }
        }
        return position;
    }
}
