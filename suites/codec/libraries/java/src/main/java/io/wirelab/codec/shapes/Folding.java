package io.wirelab.codec.shapes;

/** Way in which a value goes into a checksum: every field of it, modulo 2^32. */
@FunctionalInterface
public interface Folding<T> {
    /** The fold of {@code value}. */
    int fold(T value);
}
