package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.Position;
import io.wirelab.codec.shapes.Stroke;
import java.util.ArrayList;
import java.util.List;

/** The lines of a whiteboard's message. */
final class FlatbuffersStrokes {
    private FlatbuffersStrokes() {}

    static int build(FlatBufferBuilder builder, List<Stroke> strokes) {
        int[] offsets = new int[strokes.size()];
        for (int i = 0; i < offsets.length; i++) {
            Stroke stroke = strokes.get(i);
            int color = builder.createString(stroke.color);
            int points = points(builder, stroke.points);
            offsets[i] = codec.Stroke.createStroke(builder, color, stroke.width, points);
        }
        return codec.Chat.createStrokesVector(builder, offsets);
    }

    private static int points(FlatBufferBuilder builder, List<Position> points) {
        codec.Stroke.startPointsVector(builder, points.size());
        for (int i = points.size() - 1; i >= 0; i--) {
            Position position = points.get(i);
            codec.Position.createPosition(builder, position.x, position.y);
        }
        return builder.endVector();
    }

    static int fold(codec.Chat view) {
        int sum = 0;
        int length = view.strokesLength();
        codec.Stroke stroke = new codec.Stroke();
        codec.Position position = new codec.Position();
        for (int i = 0; i < length; i++) {
            view.strokes(stroke, i);
            sum += 17 * Fold.string(stroke.color()) + 19 * Fold.floating(stroke.width());
            int points = stroke.pointsLength();
            for (int j = 0; j < points; j++) {
                stroke.points(position, j);
                sum += 21 * position.x() + 23 * position.y();
            }
        }
        return sum;
    }

    static List<Stroke> copy(codec.Chat view) {
        List<Stroke> strokes = new ArrayList<>();
        for (int i = 0; i < view.strokesLength(); i++) {
            codec.Stroke seen = view.strokes(i);
            Stroke stroke = new Stroke();
            stroke.color = seen.color();
            stroke.width = seen.width();
            stroke.points = new ArrayList<>();
            for (int j = 0; j < seen.pointsLength(); j++) {
                Position position = new Position();
                position.x = seen.points(j).x();
                position.y = seen.points(j).y();
                stroke.points.add(position);
            }
            strokes.add(stroke);
        }
        return strokes;
    }
}
