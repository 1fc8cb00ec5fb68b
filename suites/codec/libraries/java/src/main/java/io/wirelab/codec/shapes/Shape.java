package io.wirelab.codec.shapes;

/**
 * What the suite knows of a shape's native value.
 *
 * @param <N> the native value
 */
public interface Shape<N> extends Folding<N> {
    /** The name of the shape. */
    String name();

    /** The native value of what a JSON reader made of {@code neutral}. */
    N read(Object neutral);

    /** {@code value} as maps, lists, texts and numbers that a JSON writer takes. */
    Object neutral(N value);
}
