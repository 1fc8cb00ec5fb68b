package io.wirelab.websocket.boot;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parts of a message that tell where it goes; the rest of a draw is the members' business.
 *
 * @param type {@code join}, {@code joined} or {@code draw}
 * @param board name of the board
 * @param user number of the user
 */
public record WhiteboardMessage(String type, String board, Long user) {
    private static final WhiteboardMessage NONE = new WhiteboardMessage("", "", -1L);

    /** The message in {@code text}; of type "" where it is none, or lacks something. */
    public static WhiteboardMessage in(JsonMapper json, String text) {
        try {
            return complete(json.readValue(text, WhiteboardMessage.class));
        } catch (JacksonException noMessage) {
            return NONE;
        }
    }

    /** The message in {@code text}, which is UTF-8. */
    public static WhiteboardMessage in(JsonMapper json, byte[] text) {
        try {
            return complete(json.readValue(text, WhiteboardMessage.class));
        } catch (JacksonException noMessage) {
            return NONE;
        }
    }

    /** The reply to this join. */
    public String joined(JsonMapper json) {
        return json.writeValueAsString(new WhiteboardMessage("joined", board, user));
    }

    private static WhiteboardMessage complete(WhiteboardMessage read) {
        boolean complete = read != null && read.type != null && read.board != null
                && read.user != null;
        return complete ? read : NONE;
    }
}
