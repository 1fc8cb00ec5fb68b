package io.wirelab.codec.shapes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code chat}: a message of a whiteboard. */
public final class ChatShape implements Shape<Chat> {
    @Override
    public String name() {
        return "chat";
    }

    @Override
    public Chat read(Object neutral) {
        Map<?, ?> members = Neutral.members(neutral);
        Map<?, ?> author = Neutral.members(members.get("author"));
        Chat value = new Chat();
        value.id = Neutral.text(members.get("id"));
        value.sent = Neutral.integer(members.get("sent"));
        value.board = Neutral.text(members.get("board"));
        value.author = new Author();
        value.author.id = Neutral.integer(author.get("id"));
        value.author.name = Neutral.text(author.get("name"));
        value.author.active = (Boolean) author.get("active");
        value.text = Neutral.text(members.get("text"));
        value.mentions = Neutral.list(members.get("mentions"), Neutral::text);
        value.strokes = Neutral.list(members.get("strokes"), ChatShape::readStroke);
        return value;
    }

    private static Stroke readStroke(Object neutral) {
        Map<?, ?> members = Neutral.members(neutral);
        Stroke stroke = new Stroke();
        stroke.color = Neutral.text(members.get("color"));
        stroke.width = Neutral.number(members.get("width"));
        stroke.points = Neutral.list(members.get("points"), one -> {
            Position position = new Position();
            position.x = Neutral.boxed(Neutral.members(one).get("x"));
            position.y = Neutral.boxed(Neutral.members(one).get("y"));
            return position;
        });
        return stroke;
    }

    @Override
    public Object neutral(Chat value) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", value.id);
        members.put("sent", value.sent);
        members.put("board", value.board);
        members.put("author", value.author == null ? null : neutralAuthor(value.author));
        members.put("text", value.text);
        members.put("mentions", value.mentions);
        members.put("strokes", Neutral.written(value.strokes, ChatShape::neutralStroke));
        return members;
    }

    private static Object neutralAuthor(Author author) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", author.id);
        members.put("name", author.name);
        members.put("active", author.active);
        return members;
    }

    private static Object neutralStroke(Stroke stroke) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("color", stroke.color);
        members.put("width", Neutral.floating(stroke.width));
        members.put("points", Neutral.written(stroke.points,
                position -> Map.of("x", position.x, "y", position.y)));
        return members;
    }

    @Override
    public int fold(Chat value) {
        List<Stroke> strokes = value.strokes;
        int sum = 3 * Fold.string(value.id)
                + 5 * (int) value.sent
                + 7 * Fold.string(value.board)
                + 9 * (int) value.author.id
                + 11 * Fold.string(value.author.name)
                + 13 * (value.author.active ? 1 : 0)
                + 15 * Fold.string(value.text)
                + Fold.LENGTH * (value.mentions.size() + strokes.size())
                + Fold.strings(value.mentions);
        for (int i = 0; i < strokes.size(); i++) {
            sum += fold(strokes.get(i));
        }
        return sum;
    }

    private static int fold(Stroke stroke) {
        int sum = 17 * Fold.string(stroke.color) + 19 * Fold.floating(stroke.width);
        List<Position> points = stroke.points;
        for (int i = 0; i < points.size(); i++) {
            Position position = points.get(i);
            sum += 21 * position.x + 23 * position.y;
        }
        return sum;
    }
}
