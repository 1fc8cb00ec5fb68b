package io.wirelab.cgd;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Appends values in the CGD format: little-endian, one after the other, without tags or padding.
 * A string is the number of its UTF-16 units and one more, the units, and a NUL unit; a list is
 * the number of its elements, and they.
 */
public final class CgdWriter {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle CHARS = view(char[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private byte[] content;
    private int at;

    /** A writer with room for {@code capacity} bytes, which grows when more is appended. */
    public CgdWriter(int capacity) {
        content = new byte[capacity];
    }

    /** Appends a boolean. */
    public CgdWriter append(boolean value) {
        return append((byte) (value ? 1 : 0));
    }

    /** Appends 8 bits, signed or not. */
    public CgdWriter append(byte value) {
        int to = reserve(Byte.BYTES);
        content[to] = value;
        return this;
    }

    /** Appends 16 bits, signed or not. */
    public CgdWriter append(short value) {
        int to = reserve(Short.BYTES);
        SHORTS.set(content, to, value);
        return this;
    }

    /** Appends 32 bits, signed or not. */
    public CgdWriter append(int value) {
        int to = reserve(Integer.BYTES);
        INTS.set(content, to, value);
        return this;
    }

    /** Appends 64 bits, signed or not. */
    public CgdWriter append(long value) {
        int to = reserve(Long.BYTES);
        LONGS.set(content, to, value);
        return this;
    }

    /** Appends a float. */
    public CgdWriter append(float value) {
        return append(Float.floatToRawIntBits(value));
    }

    /** Appends a double. */
    public CgdWriter append(double value) {
        return append(Double.doubleToRawLongBits(value));
    }

    /** Appends a string. */
    public CgdWriter append(String text) {
        int length = text.length();
        int to = reserve(CgdSize.of(text));
        byte[] target = content;
        INTS.set(target, to, length + 1);
        to += CgdSize.COUNT;
        for (int i = 0; i < length; i++) {
            CHARS.set(target, to + Character.BYTES * i, text.charAt(i));
        }
        CHARS.set(target, to + Character.BYTES * length, '\0');
        return this;
    }

    /** Appends a string, or null, which is a count of -1. */
    public CgdWriter appendNullable(String text) {
        return text == null ? append(CgdSize.NULL) : append(text);
    }

    /** Appends a list of integers. */
    public CgdWriter appendIntegers(List<Integer> values) {
        int size = values.size();
        int to = reserve(CgdSize.ofIntegers(values));
        byte[] target = content;
        INTS.set(target, to, size);
        to += CgdSize.COUNT;
        for (int i = 0; i < size; i++) {
            INTS.set(target, to + Integer.BYTES * i, (int) values.get(i));
        }
        return this;
    }

    /** Appends a list of bytes. */
    public CgdWriter appendBytes(byte[] values) {
        append(values.length);
        int to = reserve(values.length);
        System.arraycopy(values, 0, content, to, values.length);
        return this;
    }

    /** Appends a list of strings. */
    public CgdWriter appendStrings(List<String> values) {
        int size = values.size();
        append(size);
        for (int i = 0; i < size; i++) {
            append(values.get(i));
        }
        return this;
    }

    /**
     * Bytes that were appended. A caller who has asked {@link CgdSize} for the capacity gets the
     * array itself: a copy would be timed as well.
     */
    public byte[] toBytes() {
        return at == content.length ? content : Arrays.copyOf(content, at);
    }

    private int reserve(int size) {
        int from = at;
        if (size > content.length - from) {
            content = grown(content, from, size);
        }
        at = from + size;
        return from;
    }

    /** Static, so that the writer itself need not exist where all else is compiled in line. */
    private static byte[] grown(byte[] content, int used, int size) {
        long doubled = Math.max(2L * content.length, (long) used + size);
        return Arrays.copyOf(content, (int) Math.min(doubled, Integer.MAX_VALUE - Long.BYTES));
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }
}
