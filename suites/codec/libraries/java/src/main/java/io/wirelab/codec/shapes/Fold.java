package io.wirelab.codec.shapes;

import java.util.List;

/** Parts that folds are made of; strings are seen in units of UTF-16. */
public final class Fold {
    /** Weight of the length of a list or map in its fold. */
    public static final int LENGTH = 101;

    private Fold() {}

    /** Length, first and last unit of a string. */
    public static int string(String text) {
        int length = text.length();
        return length == 0 ? 0
                : length + 31 * text.charAt(0) + 17 * text.charAt(length - 1);
    }

    /** A float or double, truncated towards zero. */
    public static int floating(double value) {
        return (int) (long) value;
    }

    /** The weight of what stands at {@code position}. */
    public static int weight(int position) {
        return 2 * position + 1;
    }

    /** A list's integers, weighted by position. */
    public static int integers(List<Integer> values) {
        int sum = 0;
        for (int i = 0; i < values.size(); i++) {
            sum += weight(i) * values.get(i);
        }
        return sum;
    }

    /** A list's strings, weighted by position. */
    public static int strings(List<String> values) {
        int sum = 0;
        for (int i = 0; i < values.size(); i++) {
            sum += weight(i) * string(values.get(i));
        }
        return sum;
    }

    /** The first {@code length} bytes of an encoding. */
    public static int bytes(byte[] content, int length) {
        if (length == 0) {
            return 0;
        }
        return 7 * length + (content[0] & 0xff) + 3 * (content[length / 2] & 0xff)
                + 5 * (content[length - 1] & 0xff);
    }
}
