package io.wirelab.kv;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The records of YCSB's user table: ten fields of 100 bytes, each of which says who wrote it. */
public final class UserTable {
    /** Names of the fields, where a database names them. */
    public static final List<String> NAMES =
            IntStream.range(0, 10).mapToObj(field -> "field" + field).toList();

    static final int FIELDS = NAMES.size();

    /** Sequence number that no write ever put there. */
    static final long NOBODY = -1;

    private static final int FIELD_BYTES = 100;
    private static final int NUMBER_DIGITS = 12;
    private static final int SEQUENCE_DIGITS = 12;
    private static final int HEAD = NUMBER_DIGITS + 1 + SEQUENCE_DIGITS;
    private static final int OFFSETS = 1009;
    private static final byte[] LETTERS = letters();

    private UserTable() {}

    /** A record as one value, where a database knows no fields. */
    public static byte[] joined(List<byte[]> values) {
        byte[] record = new byte[values.stream().mapToInt(value -> value.length).sum()];
        int at = 0;
        for (byte[] value : values) {
            System.arraycopy(value, 0, record, at, value.length);
            at += value.length;
        }
        return record;
    }

    /** The fields of a record that is one value. */
    public static List<byte[]> parted(byte[] record) {
        return IntStream.range(0, record.length / FIELD_BYTES)
                .mapToObj(field -> Arrays.copyOfRange(
                        record, field * FIELD_BYTES, (field + 1) * FIELD_BYTES))
                .toList();
    }

    private static byte[] letters() {
        byte[] letters = new byte[OFFSETS + FIELD_BYTES - HEAD];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) ('a' + Long.remainderUnsigned(Draw.mix(i), 26));
        }
        return letters;
    }

    /** The key of a record: numbers are hashed, so that neighbours in order are strangers. */
    static String nameOf(long record) {
        String digits = Long.toUnsignedString(Draw.mix(record));
        return "user" + "0".repeat(20 - digits.length()) + digits;
    }

    /** Bytes that the write with that sequence number puts into a field; 0: the insert. */
    static byte[] value(long record, int field, long sequence) {
        byte[] value = new byte[FIELD_BYTES];
        putDigits(value, NUMBER_DIGITS, NUMBER_DIGITS, record);
        putDigits(value, NUMBER_DIGITS + 1, 1, field);
        putDigits(value, HEAD, SEQUENCE_DIGITS, sequence);
        int offset = (int) ((record * 31 + field * 7 + sequence) % OFFSETS);
        System.arraycopy(LETTERS, offset, value, HEAD, FIELD_BYTES - HEAD);
        return value;
    }

    private static void putDigits(byte[] into, int end, int count, long number) {
        long left = number;
        for (int at = end - 1; at >= end - count; at--) {
            into[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /**
     * Sequence number of the write of this field; {@link #NOBODY} where nobody ever wrote what it
     * holds. Of what the first {@code loaded} records were loaded with, a client knows the head
     * alone.
     */
    static long sequenceOf(byte[] content, long record, int field, long loaded) {
        if (content.length != FIELD_BYTES) {
            return NOBODY;
        }
        long sequence = 0;
        for (int at = NUMBER_DIGITS + 1; at < HEAD; at++) {
            int digit = content[at] - '0';
            if (digit < 0 || digit > 9) {
                return NOBODY;
            }
            sequence = 10 * sequence + digit;
        }
        int known = sequence == 0 && record < loaded ? HEAD : FIELD_BYTES;
        byte[] right = value(record, field, sequence);
        return Arrays.equals(content, 0, known, right, 0, known) ? sequence : NOBODY;
    }
}
