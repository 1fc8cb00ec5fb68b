package io.wirelab.sdk;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;

/**
 * A distribution of durations between 1 us and 120 s with three significant digits, as the interval
 * file has it: an HdrHistogram in its encoding V2. For one thread at a time.
 */
public final class Durations {
    private static final long LOWEST_NS = 1_000;
    private static final long HIGHEST_NS = 120_000_000_000L;
    private static final int DIGITS = 3;

    /** Bits below the lowest duration. */
    private static final int UNIT = 9;

    /** Bits of half of a bucket: 2,048 parts for three digits. */
    private static final int HALF = 10;

    private static final int COOKIE = 0x1c849313;
    private static final int COMPRESSED_COOKIE = 0x1c849314;
    private static final int HEADER_BYTES = 40;

    private long[] counts = new long[1 << HALF];
    private int used;

    /** Counts a duration; what is out of bounds counts as the nearest bound. */
    public void add(long ns) {
        int at = placeOf(Math.max(0, Math.min(ns, HIGHEST_NS)));
        if (at >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(at + 1, 2 * counts.length));
        }
        counts[at]++;
        used = Math.max(used, at + 1);
    }

    /** Tells whether nothing was counted. */
    public boolean isEmpty() {
        return used == 0;
    }

    /** Its encoding V2, compressed, in base64. */
    public String encoded() {
        byte[] packed = compressed(payload());
        return Base64.getEncoder().encodeToString(ByteBuffer.allocate(8 + packed.length)
                .putInt(COMPRESSED_COOKIE).putInt(packed.length).put(packed).array());
    }

    private static int placeOf(long ns) {
        int wider = Long.SIZE - Long.numberOfLeadingZeros(ns >> UNIT | (1L << HALF + 1) - 1)
                - HALF - 1;
        return (wider << HALF) + (int) (ns >> wider + UNIT);
    }

    /** The header and the counts; a run of counts that are zero is one negative number. */
    private byte[] payload() {
        ByteArrayOutputStream numbers = new ByteArrayOutputStream();
        for (int at = 0; at < used; at++) {
            int first = at;
            while (counts[at] == 0) {
                at++;
            }
            // A single zero stands for itself, as HdrHistogram for Java writes it.
            if (at > first) {
                appendZigZag(numbers, at - first > 1 ? first - at : 0);
            }
            appendZigZag(numbers, counts[at]);
        }
        return ByteBuffer.allocate(HEADER_BYTES + numbers.size())
                .putInt(COOKIE).putInt(numbers.size()).putInt(0).putInt(DIGITS)
                .putLong(LOWEST_NS).putLong(HIGHEST_NS).putDouble(1.0)
                .put(numbers.toByteArray()).array();
    }

    /** Appends a number in groups of seven bits, the lowest first. */
    private static void appendZigZag(ByteArrayOutputStream bytes, long number) {
        long rest = number << 1 ^ number >> Long.SIZE - 1;
        for (; rest > 0x7f; rest >>>= 7) {
            bytes.write((int) (rest & 0x7f | 0x80));
        }
        bytes.write((int) rest);
    }

    private static byte[] compressed(byte[] payload) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(payload);
            deflater.finish();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            byte[] buffer = new byte[1 << 12];
            while (!deflater.finished()) {
                packed.write(buffer, 0, deflater.deflate(buffer));
            }
            return packed.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
