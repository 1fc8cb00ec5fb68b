package io.wirelab.sdk;

import java.util.Map;

/** Failure that was thrown: the class and message that the library's caller sees. */
public record Failure(String kind, String message) {
    private static final int MESSAGE_LIMIT = 500;

    /** Reads what {@code thrown} is called and says. */
    public static Failure of(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        return new Failure(thrown.getClass().getSimpleName(),
                message.substring(0, Math.min(MESSAGE_LIMIT, message.length())));
    }

    /** Its members in a line of JSON. */
    public Map<String, Object> members() {
        return Map.of("class", kind, "message", message);
    }
}
