package io.wirelab.codec.gson;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.wirelab.codec.NativeCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A type, written to and read from the text that Gson knows; the bytes are its UTF-8. */
final class GsonCodec<N> implements NativeCodec<N> {
    private static final char REPLACEMENT = '\ufffd';

    private final Gson gson;
    private final TypeToken<N> type;

    GsonCodec(Gson gson, TypeToken<N> type) {
        this.gson = gson;
        this.type = type;
    }

    @Override
    public byte[] encode(N value) {
        return gson.toJson(value, type.getType()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public N decode(byte[] bytes) throws CharacterCodingException {
        return gson.fromJson(text(bytes), type);
    }

    /**
     * {@code bytes} as a text. Java's constructor is its fastest way, but replaces what is not
     * UTF-8, which JSON has to be: where the text has a replacement, a decoder that reports says
     * whether it was in the bytes.
     */
    private static String text(byte[] bytes) throws CharacterCodingException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        }
        return text;
    }
}
