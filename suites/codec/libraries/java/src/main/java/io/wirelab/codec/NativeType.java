package io.wirelab.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * The type of a shape's native values, for libraries that are told it.
 *
 * @param <N> the native value
 */
public class NativeType<N> {
    private final Type type;
    private final Class<?> made;

    /** A class without parameters. */
    NativeType(Type type, Class<?> made) {
        this.type = type;
        this.made = made;
    }

    /** Takes the type that a subclass names; {@code made} is the class that values have. */
    protected NativeType(Class<?> made) {
        this.made = made;
        type = ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0];
    }

    /** The whole type, with those of its elements. */
    public Type type() {
        return type;
    }

    /** The class that values have. */
    public Class<?> made() {
        return made;
    }
}
