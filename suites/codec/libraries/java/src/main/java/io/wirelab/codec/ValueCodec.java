package io.wirelab.codec;

/**
 * A library that writes and reads native values.
 *
 * @param <N> the shape's native value
 * @param <B> the bytes
 */
public interface ValueCodec<N, B> extends Codec<N, N, B>, ShapeCodec<N> {}
