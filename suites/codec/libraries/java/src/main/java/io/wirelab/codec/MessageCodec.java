package io.wirelab.codec;

import io.wirelab.codec.shapes.Folding;

/**
 * A library whose messages are types of their own.
 *
 * @param <N> the shape's native value
 * @param <M> the message
 */
public interface MessageCodec<N, M> extends ArrayCodec<M, M>, Folding<M>, ShapeCodec<N> {
    /** The message that says what {@code value} says. */
    M toMessage(N value) throws Exception;

    /** The native value that {@code message} says. */
    N fromMessage(M message) throws Exception;

    @Override
    default Subject subject(PooledShape<N> pooled) {
        return new MessageSubject<>(pooled, this);
    }
}
