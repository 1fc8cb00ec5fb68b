package io.wirelab.codec;

/**
 * A library that writes and reads native values, and makes a new array in every iteration.
 *
 * @param <N> the shape's native value
 */
public interface NativeCodec<N> extends ArrayCodec<N, N>, ValueCodec<N, byte[]> {
    @Override
    default Subject subject(PooledShape<N> pooled) {
        return new NativeSubject<>(pooled, this, false);
    }
}
