package io.wirelab.codec.gson;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.reflect.TypeToken;
import io.wirelab.codec.Library;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.NativeType;
import io.wirelab.codec.UniformContender;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** One Gson, and a type token for each type. */
public final class GsonContender extends UniformContender {
    private static final char REPLACEMENT = '\ufffd';

    /** The tuning: JSON as the standard has it, and no escapes for the sake of HTML. */
    private final Gson gson = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .disableHtmlEscaping()
            .create();

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new GsonContender());
    }

    @Override
    public Library library() {
        return Library.of("Gson", Gson.class);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    @SuppressWarnings("unchecked") // The token is that of the type.
    protected <N> GsonCodec<N> codec(NativeType<N> type) {
        return new GsonCodec<>(gson, (TypeToken<N>) TypeToken.get(type.type()));
    }

    /** Bytes are text in base64: Gson has none. */
    @Override
    public LargeCodec large() {
        Whole<String> texts = Whole.of(codec(new NativeType<String>(String.class) {}));
        return new GsonLarge(gson, Whole.inBase64(texts),
                Whole.of(codec(new NativeType<Telemetry>(Telemetry.class) {})));
    }

    /** A type, written to and read from the text that Gson knows; the bytes are its UTF-8. */
    private record GsonCodec<N>(Gson gson, TypeToken<N> type) implements NativeCodec<N> {
        @Override
        public byte[] encode(N value) {
            return gson.toJson(value, type.getType()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public N decode(byte[] bytes) throws CharacterCodingException {
            return gson.fromJson(text(bytes), type);
        }
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
