package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.Author;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.Position;
import io.wirelab.codec.shapes.Stroke;
import java.util.ArrayList;
import java.util.List;

/** A message of a whiteboard. */
final class CgdChatCodec implements NativeCodec<Chat> {
    private static final int POSITION = 2 * Integer.BYTES;
    private static final int LEAST_STROKE = CgdSize.EMPTY_STRING + Double.BYTES + CgdSize.COUNT;

    @Override
    public byte[] encode(Chat value) {
        CgdWriter writer = new CgdWriter(size(value))
                .append(value.id)
                .append(value.sent)
                .append(value.board)
                .append((int) value.author.id)
                .append(value.author.name)
                .append(value.author.active)
                .append(value.text)
                .appendStrings(value.mentions)
                .append(value.strokes.size());
        for (int i = 0; i < value.strokes.size(); i++) {
            append(writer, value.strokes.get(i));
        }
        return writer.toBytes();
    }

    private static void append(CgdWriter writer, Stroke stroke) {
        List<Position> points = stroke.points;
        writer.append(stroke.color).append(stroke.width).append(points.size());
        for (int i = 0; i < points.size(); i++) {
            Position position = points.get(i);
            writer.append(position.x).append(position.y);
        }
    }

    private static int size(Chat value) {
        int size = CgdSize.of(value.id) + Long.BYTES + CgdSize.of(value.board)
                + Integer.BYTES + CgdSize.of(value.author.name) + Byte.BYTES
                + CgdSize.of(value.text) + CgdSize.ofStrings(value.mentions) + CgdSize.COUNT;
        for (int i = 0; i < value.strokes.size(); i++) {
            Stroke stroke = value.strokes.get(i);
            size += CgdSize.of(stroke.color) + Double.BYTES
                    + CgdSize.COUNT + POSITION * stroke.points.size();
        }
        return size;
    }

    @Override
    public Chat decode(byte[] bytes) {
        CgdReader reader = new CgdReader(bytes);
        Chat value = new Chat();
        value.id = reader.extractString();
        value.sent = reader.extractLong();
        value.board = reader.extractString();
        value.author = new Author();
        value.author.id = reader.extractUnsignedInt();
        value.author.name = reader.extractString();
        value.author.active = reader.extractBoolean();
        value.text = reader.extractString();
        value.mentions = reader.extractStrings();
        int count = reader.extractCount(LEAST_STROKE);
        value.strokes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.strokes.add(extractStroke(reader));
        }
        return value;
    }

    private static Stroke extractStroke(CgdReader reader) {
        Stroke stroke = new Stroke();
        stroke.color = reader.extractString();
        stroke.width = reader.extractDouble();
        int count = reader.extractCount(POSITION);
        stroke.points = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Position position = new Position();
            position.x = reader.extractInt();
            position.y = reader.extractInt();
            stroke.points.add(position);
        }
        return stroke;
    }
}
