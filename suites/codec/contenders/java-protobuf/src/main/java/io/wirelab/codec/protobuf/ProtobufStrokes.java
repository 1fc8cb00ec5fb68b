package io.wirelab.codec.protobuf;

import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.Position;
import io.wirelab.codec.shapes.Stroke;
import java.util.ArrayList;

/** The lines of a whiteboard's message. */
final class ProtobufStrokes {
    private ProtobufStrokes() {}

    static codec.proto.Stroke toMessage(Stroke stroke) {
        codec.proto.Stroke.Builder message = codec.proto.Stroke.newBuilder()
                .setColor(stroke.color)
                .setWidth(stroke.width);
        for (int i = 0; i < stroke.points.size(); i++) {
            Position position = stroke.points.get(i);
            message.addPoints(codec.proto.Position.newBuilder()
                    .setX(position.x)
                    .setY(position.y)
                    .build());
        }
        return message.build();
    }

    static Stroke fromMessage(codec.proto.Stroke message) {
        Stroke stroke = new Stroke();
        stroke.color = message.getColor();
        stroke.width = message.getWidth();
        stroke.points = new ArrayList<>(message.getPointsCount());
        for (int i = 0; i < message.getPointsCount(); i++) {
            Position position = new Position();
            position.x = message.getPoints(i).getX();
            position.y = message.getPoints(i).getY();
            stroke.points.add(position);
        }
        return stroke;
    }

    static int fold(codec.proto.Stroke message) {
        int sum = 17 * Fold.string(message.getColor()) + 19 * Fold.floating(message.getWidth());
        for (int i = 0; i < message.getPointsCount(); i++) {
            codec.proto.Position position = message.getPoints(i);
            sum += 21 * position.getX() + 23 * position.getY();
        }
        return sum;
    }
}
