package io.wirelab.websocket.netty;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Parts of a message that tell where it goes; the rest of a draw is the members' business.
 *
 * @param type {@code join} or {@code draw}
 * @param board name of the board
 * @param user number of the user
 */
record BoardMessage(String type, String board, long user) {
    private static final JsonFactory JSON = new JsonFactory();

    /** The message in {@code text}; empty when it is none. The whole text is read as JSON. */
    static Optional<BoardMessage> read(byte[] text) {
        try (JsonParser parser = JSON.createParser(text)) {
            return parser.nextToken() == JsonToken.START_OBJECT
                    ? members(parser) : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    /** The reply to a join. */
    String joined() {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            generator.writeStartObject();
            generator.writeStringField("type", "joined");
            generator.writeStringField("board", board);
            generator.writeNumberField("user", user);
            generator.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static Optional<BoardMessage> members(JsonParser parser) throws IOException {
        String type = null;
        String board = null;
        Long user = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("type") && value == JsonToken.VALUE_STRING) {
                type = parser.getText();
            } else if (name.equals("board") && value == JsonToken.VALUE_STRING) {
                board = parser.getText();
            } else if (name.equals("user") && value == JsonToken.VALUE_NUMBER_INT) {
                user = parser.getLongValue();
            } else {
                parser.skipChildren();
            }
        }
        boolean complete = type != null && board != null && user != null
                && parser.nextToken() == null;
        return complete ? Optional.of(new BoardMessage(type, board, user)) : Optional.empty();
    }
}
