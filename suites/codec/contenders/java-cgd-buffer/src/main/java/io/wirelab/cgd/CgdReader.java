package io.wirelab.cgd;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Extracts values in the CGD format, in the order in which they were appended.
 *
 * <p>Nothing is allocated before it is known that the bytes for it are there: a count is compared
 * with what is left, given the least that an element takes. Null strings and lists, which the
 * format has, are refused. Every refusal is a {@link CgdException}.
 */
public final class CgdReader {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle CHARS = view(char[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private final byte[] content;
    private int at;

    /** Reads {@code content} from its start. */
    public CgdReader(byte[] content) {
        this.content = content;
    }

    /** Extracts a boolean; any byte but 0 is true. */
    public boolean extractBoolean() {
        return extractByte() != 0;
    }

    /** Extracts 8 bits, signed. */
    public byte extractByte() {
        return content[take(Byte.BYTES)];
    }

    /** Extracts 8 bits, unsigned. */
    public short extractUnsignedByte() {
        return (short) Byte.toUnsignedInt(extractByte());
    }

    /** Extracts 16 bits, signed. */
    public short extractShort() {
        return (short) SHORTS.get(content, take(Short.BYTES));
    }

    /** Extracts 16 bits, unsigned. */
    public int extractUnsignedShort() {
        return Short.toUnsignedInt(extractShort());
    }

    /** Extracts 32 bits, signed. */
    public int extractInt() {
        return (int) INTS.get(content, take(Integer.BYTES));
    }

    /** Extracts 32 bits, unsigned. */
    public long extractUnsignedInt() {
        return Integer.toUnsignedLong(extractInt());
    }

    /** Extracts 64 bits. */
    public long extractLong() {
        return (long) LONGS.get(content, take(Long.BYTES));
    }

    /** Extracts a float. */
    public float extractFloat() {
        return Float.intBitsToFloat(extractInt());
    }

    /** Extracts a double. */
    public double extractDouble() {
        return Double.longBitsToDouble(extractLong());
    }

    /** Extracts a string. Java's strings may hold lone surrogates, so those come as they are. */
    public String extractString() {
        int count = extractCount(Character.BYTES);
        if (count == 0) {
            throw wrong("a string of no units: an empty one has its terminator");
        }
        int from = take(Character.BYTES * count);
        char[] units = new char[count - 1];
        for (int i = 0; i < units.length; i++) {
            units[i] = (char) CHARS.get(content, from + Character.BYTES * i);
        }
        if ((char) CHARS.get(content, from + Character.BYTES * units.length) != '\0') {
            throw wrong("a string that does not end with its terminator");
        }
        return new String(units);
    }

    /** Extracts a string, or null. */
    public String extractNullable() {
        if (content.length - at >= CgdSize.COUNT
                && (int) INTS.get(content, at) == CgdSize.NULL) {
            at += CgdSize.COUNT;
            return null;
        }
        return extractString();
    }

    /** Extracts a list of integers. */
    public List<Integer> extractIntegers() {
        int count = extractCount(Integer.BYTES);
        int from = take(Integer.BYTES * count);
        List<Integer> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add((int) INTS.get(content, from + Integer.BYTES * i));
        }
        return values;
    }

    /** Extracts a list of bytes. */
    public byte[] extractBytes() {
        int count = extractCount(Byte.BYTES);
        int from = take(count);
        return Arrays.copyOfRange(content, from, from + count);
    }

    /** Extracts a list of strings. */
    public List<String> extractStrings() {
        int count = extractCount(CgdSize.EMPTY_STRING);
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(extractString());
        }
        return values;
    }

    /**
     * Extracts the count before a list's elements or a map's entries.
     *
     * @param least the fewest bytes that one of them takes; as many must be left for each
     */
    public int extractCount(int least) {
        int count = extractInt();
        if (count < 0 || count > (content.length - at) / least) {
            throw refused(count);
        }
        return count;
    }

    private int take(int size) {
        int from = at;
        if (size > content.length - from) {
            throw truncated(size);
        }
        at = from + size;
        return from;
    }

    private CgdException truncated(int size) {
        return wrong("a value of " + size + " bytes, and only " + (content.length - at) + " left");
    }

    private CgdException refused(int count) {
        return wrong(count == CgdSize.NULL ? "null where a value must be"
                : "a count of " + count + ", which the " + (content.length - at)
                        + " bytes after it cannot hold");
    }

    private CgdException wrong(String what) {
        return new CgdException(what + ", before byte " + at);
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }
}
