package io.wirelab.cgd;

import java.util.List;

/** Bytes that values take in the CGD format, so that a buffer can have the right size at once. */
public final class CgdSize {
    /** The count before the elements of a list, the entries of a map, the units of a string. */
    public static final int COUNT = Integer.BYTES;

    /** In the place of a count: there is no string or list. */
    public static final int NULL = -1;

    /** The smallest string: its count, and the NUL unit. */
    public static final int EMPTY_STRING = COUNT + Character.BYTES;

    private CgdSize() {}

    /** A string. */
    public static int of(String text) {
        return EMPTY_STRING + Character.BYTES * text.length();
    }

    /** A list of integers. */
    public static int ofIntegers(List<Integer> values) {
        return COUNT + Integer.BYTES * values.size();
    }

    /** A list of strings. */
    public static int ofStrings(List<String> values) {
        int size = COUNT;
        for (int i = 0; i < values.size(); i++) {
            size += of(values.get(i));
        }
        return size;
    }
}
