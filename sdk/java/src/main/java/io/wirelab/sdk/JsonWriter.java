package io.wirelab.sdk;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;

/** Writes values as JSON on one line, numbers in the shortest form that reads back the same. */
public final class JsonWriter {
    private static final String HEX = "0123456789abcdef";

    private JsonWriter() {}

    /**
     * {@code value} as JSON: null, {@link Boolean}, {@link Byte}, {@link Short}, {@link Integer},
     * {@link Long}, {@link Double}, {@link CharSequence}, {@link Map} and {@link Iterable} of them.
     *
     * @throws IllegalArgumentException for any other type, and for a number that is not finite
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence text) {
            appendText(out, text);
        } else if (value instanceof Double number) {
            out.append(shortest(number));
        } else if (value instanceof Integer || value instanceof Long
                || value instanceof Short || value instanceof Byte) {
            out.append(((Number) value).longValue());
        } else if (value instanceof Map<?, ?> members) {
            appendMembers(out, members);
        } else if (value instanceof Iterable<?> items) {
            appendItems(out, items);
        } else {
            throw new IllegalArgumentException("no JSON form for " + value.getClass().getName());
        }
    }

    private static void appendMembers(StringBuilder out, Map<?, ?> members) {
        char before = '{';
        for (Map.Entry<?, ?> member : members.entrySet()) {
            appendText(out.append(before), (String) member.getKey());
            append(out.append(':'), member.getValue());
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    private static void appendItems(StringBuilder out, Iterable<?> items) {
        char before = '[';
        for (Object item : items) {
            append(out.append(before), item);
            before = ',';
        }
        out.append(before == '[' ? "[]" : "]");
    }

    private static void appendText(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            switch (unit) {
                case '"', '\\' -> out.append('\\').append(unit);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (unit < ' ' || unit == 0x7f || isLoneSurrogate(text, i)) {
                        appendCodeUnit(out, unit);
                    } else {
                        out.append(unit);
                    }
                }
            }
        }
        out.append('"');
    }

    /** A lone surrogate has no UTF-8 form: escaped it survives, raw it would become '?'. */
    private static boolean isLoneSurrogate(CharSequence text, int at) {
        char unit = text.charAt(at);
        if (Character.isHighSurrogate(unit)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(unit)
                && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    private static void appendCodeUnit(StringBuilder out, char unit) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt(unit >> shift & 0xf));
        }
    }

    /**
     * The shortest decimal that reads back as {@code value}, always with a point or an exponent.
     * Not {@link Double#toString}, which before Java 19 may print digits too many (JDK-4511638).
     */
    static String shortest(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("no JSON form for " + value);
        }
        if (value == 0) {
            return Double.compare(value, 0.0) < 0 ? "-0.0" : "0.0";
        }
        // If any decimal of 15 digits or fewer reads back as a normal number, it is the rounding to
        // 15 digits without its trailing zeros; 17 digits read back the same in any case. A
        // subnormal has fewer bits, so fewer digits may do.
        BigDecimal exact = new BigDecimal(value);
        BigDecimal rounded = exact;
        for (int digits = Math.abs(value) < Double.MIN_NORMAL ? 1 : 15; digits <= 17; digits++) {
            rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                break;
            }
        }
        rounded = rounded.stripTrailingZeros();
        boolean plain = rounded.scale() <= 0 && rounded.precision() - rounded.scale() <= 17;
        return plain ? rounded.toPlainString() + ".0" : rounded.toString();
    }
}
