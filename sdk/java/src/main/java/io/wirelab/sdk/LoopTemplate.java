package io.wirelab.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * Makes loops. Each is an instance of a class of its own, defined anew from the template's bytes:
 * the JVM then profiles and compiles each by itself, with one type at each of its calls, as in a
 * program that has only this loop. Shared, a loop would see all inputs, and none would be inlined.
 */
public final class LoopTemplate {
    private LoopTemplate() {}

    /**
     * A loop whose template is in the package of {@code lookup}; {@code parts} are what the
     * template's constructor takes.
     */
    public static Loop own(MethodHandles.Lookup lookup, Class<? extends Loop> template,
            Object... parts) throws Exception {
        Class<?> copy = lookup.defineHiddenClass(bytes(template), true).lookupClass();
        Constructor<?> constructor = copy.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        try {
            return (Loop) constructor.newInstance(parts);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() instanceof Exception cause ? cause : thrown;
        }
    }

    private static byte[] bytes(Class<?> template) throws IOException {
        String file = template.getSimpleName() + ".class";
        try (InputStream in = template.getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }
}
