package io.wirelab.codec.large;

import io.wirelab.codec.BufferCodec;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.NativeCodec;
import java.util.Base64;

/**
 * A value that goes over to bytes and back, with everything between.
 *
 * @param <N> the native value
 */
public record Whole<N>(Writes<N> writes, Reads<N> reads) {
    /** From a value to bytes. */
    @FunctionalInterface
    public interface Writes<N> {
        /** Bytes of a value. */
        byte[] bytes(N value) throws Exception;
    }

    /** From bytes to a value. */
    @FunctionalInterface
    public interface Reads<N> {
        /** The value that the bytes hold. */
        N value(byte[] bytes) throws Exception;
    }

    /** Codec of a library which takes native values. */
    public static <N> Whole<N> of(NativeCodec<N> codec) {
        return new Whole<>(codec::encode, codec::decode);
    }

    /** Codec of a library which writes into a buffer that it keeps. */
    public static <N> Whole<N> of(BufferCodec<N> codec) {
        return new Whole<>(
                value -> codec.contentOf(codec.encode(value)),
                bytes -> codec.decode(codec.bytesOf(bytes)));
    }

    /** Codec of a library which has messages of its own. */
    public static <N, M> Whole<N> of(MessageCodec<N, M> codec) {
        return new Whole<>(
                value -> codec.encode(codec.toMessage(value)),
                bytes -> codec.fromMessage(codec.decode(bytes)));
    }

    /** Bytes as a text in base64, which is Java's: for a library that writes and reads no bytes. */
    public static Whole<byte[]> inBase64(Whole<String> texts) {
        return new Whole<>(
                blob -> texts.writes().bytes(Base64.getEncoder().encodeToString(blob)),
                bytes -> Base64.getDecoder().decode(texts.reads().value(bytes)));
    }
}
