package io.wirelab.codec.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Between values of JSON and those of Java. */
final class Neutral {
    private Neutral() {}

    static Map<?, ?> members(Object value) {
        return (Map<?, ?>) value;
    }

    static long integer(Object value) {
        return (Long) value;
    }

    static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    static String text(Object value) {
        return (String) value;
    }

    static <T> List<T> list(Object value, Function<Object, T> element) {
        List<T> found = new ArrayList<>();
        for (Object one : (List<?>) value) {
            found.add(element.apply(one));
        }
        return found;
    }

    /** A list that damaged input left out is null. */
    static <T> List<Object> written(List<T> values, Function<T, Object> element) {
        if (values == null) {
            return null;
        }
        List<Object> written = new ArrayList<>();
        for (T value : values) {
            written.add(element.apply(value));
        }
        return written;
    }

    static Integer boxed(Object value) {
        return Math.toIntExact(integer(value));
    }

    /** JSON has no form for what is not finite, which only damaged input gives: its name. */
    static Object floating(double value) {
        return Double.isFinite(value) ? (Object) value : Double.toString(value);
    }

    /** The writer knows 63 bits; only damaged input has more: their decimal digits as a text. */
    static Object unsigned(long value) {
        return value >= 0 ? (Object) value : Long.toUnsignedString(value);
    }
}
