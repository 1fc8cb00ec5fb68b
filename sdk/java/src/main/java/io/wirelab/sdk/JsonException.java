package io.wirelab.sdk;

/** Text that is not the JSON expected; the message says where and what. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    JsonException(String message) {
        super(message);
    }
}
