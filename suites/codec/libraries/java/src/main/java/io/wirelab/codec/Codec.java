package io.wirelab.codec;

/**
 * A library at work on one shape. Contenders implement one of {@link NativeCodec},
 * {@link MessageCodec}, {@link ViewCodec} and {@link BufferCodec}.
 *
 * @param <E> what is encoded
 * @param <D> what is decoded
 * @param <B> the bytes
 */
public interface Codec<E, D, B> {
    /** {@code message} as bytes. */
    B encode(E message) throws Exception;

    /** Reads what {@code bytes} hold. */
    D decode(B bytes) throws Exception;

    /** The fold of {@code bytes}. */
    int foldBytes(B bytes);

    /** {@code content}, not copied, as this codec's bytes. */
    B bytesOf(byte[] content);

    /** A copy of what {@code bytes} are at the moment. */
    byte[] contentOf(B bytes);
}
