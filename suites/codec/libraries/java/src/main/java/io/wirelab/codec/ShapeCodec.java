package io.wirelab.codec;

/**
 * Codec that a contender has for a shape.
 *
 * @param <N> the shape's native value
 */
public interface ShapeCodec<N> {
    /** The loops and answers of it. */
    Subject subject(PooledShape<N> pooled);
}
