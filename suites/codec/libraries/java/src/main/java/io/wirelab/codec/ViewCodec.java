package io.wirelab.codec;

import io.wirelab.codec.shapes.Folding;

/**
 * A library that writes native values, and whose messages are views into the bytes.
 *
 * @param <N> the shape's native value
 * @param <V> the view
 */
public interface ViewCodec<N, V> extends ArrayCodec<N, V>, Folding<V>, ShapeCodec<N> {
    /** The native value of what {@code view} shows; for answers, never in a loop. */
    N copy(V view) throws Exception;

    @Override
    default Subject subject(PooledShape<N> pooled) {
        return new ViewSubject<>(pooled, this);
    }
}
