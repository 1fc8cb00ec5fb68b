package io.wirelab.kv;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Values that are stored under a key.
 *
 * @param integers bins {@code c0} to {@code c4}
 * @param doubles bins {@code d0} to {@code d7}
 */
public record Row(long[] integers, double[] doubles) {
    /** Bins that are integers. */
    public static final int INTEGERS = 5;

    /** Bins that are doubles. */
    public static final int DOUBLES = 8;

    private static final int PACKED = Long.BYTES * (INTEGERS + DOUBLES);

    /**
     * A row as Redis holds it: 104 bytes, little-endian, the integers first.
     *
     * @throws IllegalArgumentException for any other length
     */
    public static Row unpack(byte[] packed) {
        if (packed.length != PACKED) {
            throw new IllegalArgumentException(
                    "a record of " + packed.length + " bytes, not " + PACKED);
        }
        ByteBuffer bytes = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        long[] integers = new long[INTEGERS];
        for (int j = 0; j < INTEGERS; j++) {
            integers[j] = bytes.getLong();
        }
        double[] doubles = new double[DOUBLES];
        for (int j = 0; j < DOUBLES; j++) {
            doubles[j] = bytes.getDouble();
        }
        return new Row(integers, doubles);
    }
}
