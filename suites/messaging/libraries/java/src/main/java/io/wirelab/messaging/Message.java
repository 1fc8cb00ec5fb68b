package io.wirelab.messaging;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Message that users send each other: a header of 32 bytes (little-endian) and a payload that
 * follows from the trial's key and seed, so that every receiver can tell whether each byte is the
 * one that was sent, and nobody who is not told the key has a message ready before it comes.
 *
 * <pre>
 * offset 0   u32  0x314D4C57 ("WLM1")
 * offset 4   u32  user
 * offset 8   u64  sequence: phase in the upper 32 bits, number within it in the lower ones
 * offset 16  u64  when it was sent, CLOCK_MONOTONIC in ns
 * offset 24  u64  echo: when a server of ours answered, 0 before; broadcast: when it was due
 * </pre>
 */
public final class Message {
    /** Bytes of the header, and the shortest message. */
    public static final int HEADER = 32;

    private static final int MAGIC = 0x314D4C57;
    private static final int USER = 4;
    private static final int SEQUENCE = 8;
    private static final int SENT = 16;
    private static final int SERVED = 24;
    private static final int POOL = 1 << 16;
    private static final int DIGEST = 64;

    /** Bytes that a payload begins with, and that no other has. */
    private static final int WORD = 8;
    /** Users of whom a digest is kept, each in a place of its own where there are no more. */
    private static final int KEPT = 1024;

    private final byte[] key;
    private final long seed;
    /** The pool twice, so that a slice of up to its size never wraps. */
    private final byte[] pool = new byte[2 * POOL];
    /** By several threads without a lock: whichever is found is checked. */
    private final Words[] kept = new Words[KEPT];

    /** The words of eight messages in a row. */
    private record Words(int user, long block, long[] of) {}

    /** Messages of a trial with {@code seed}, which follow from {@code key} as well. */
    public Message(byte[] key, long seed) {
        this.key = key.clone();
        this.seed = seed;
        byte[] number = new byte[Integer.BYTES];
        for (int at = 0; at < POOL; at += DIGEST) {
            byte[] digest = digest(header(number).putInt(0, at / DIGEST));
            System.arraycopy(digest, 0, pool, at, DIGEST);
            System.arraycopy(digest, 0, pool, POOL + at, DIGEST);
        }
    }

    private byte[] digest(ByteBuffer of) {
        try {
            MessageDigest sha512 = MessageDigest.getInstance("SHA-512");
            sha512.update(key);
            sha512.update(header(new byte[Long.BYTES]).putLong(0, seed));
            sha512.update(of);
            return sha512.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private long word(int user, long sequence) {
        long block = sequence >>> 3;
        Words words = kept[user & KEPT - 1];
        if (words == null || words.user != user || words.block != block) {
            byte[] of = new byte[Integer.BYTES + Long.BYTES];
            byte[] digest = digest(header(of).putInt(0, user).putLong(Integer.BYTES, block));
            long[] numbers = new long[DIGEST / WORD];
            header(digest).asLongBuffer().get(numbers);
            words = new Words(user, block, numbers);
            kept[user & KEPT - 1] = words;
        }
        return words.of[(int) sequence & 7];
    }

    /** A message of {@code size} bytes, at least {@link #HEADER}, without its times. */
    public byte[] compose(int user, long sequence, int size) {
        byte[] message = new byte[Math.max(size, HEADER)];
        ByteBuffer header = header(message);
        header.putInt(0, MAGIC).putInt(USER, user).putLong(SEQUENCE, sequence);
        long word = word(user, sequence);
        for (int at = HEADER; at < message.length; at += POOL) {
            System.arraycopy(pool, from(word), message, at, Math.min(POOL, message.length - at));
        }
        for (int at = 0; at < WORD && HEADER + at < message.length; at++) {
            message[HEADER + at] = (byte) (word >>> 8 * at);
        }
        return message;
    }

    /** Tells whether {@code message} is the one that {@code user} sent as {@code sequence}. */
    public boolean isIntact(byte[] message, int user, long sequence, int size) {
        if (message.length != Math.max(size, HEADER)) {
            return false;
        }
        ByteBuffer header = header(message);
        if (header.getInt(0) != MAGIC || header.getInt(USER) != user
                || header.getLong(SEQUENCE) != sequence) {
            return false;
        }
        long word = word(user, sequence);
        for (int at = 0; at < WORD && HEADER + at < message.length; at++) {
            if (message[HEADER + at] != (byte) (word >>> 8 * at)) {
                return false;
            }
        }
        int begin = HEADER + WORD;
        int from = from(word) + WORD;
        while (begin < message.length) {
            // Up to where the pool begins again.
            int length = Math.min(from(word) + POOL - from, message.length - begin);
            if (!Arrays.equals(pool, from, from + length, message, begin, begin + length)) {
                return false;
            }
            begin += length;
            from = from(word);
        }
        return true;
    }

    /** Writes when the message is sent, and for a broadcast when it was due. */
    public static void stampSent(byte[] message, long sentNs, long dueNs) {
        header(message).putLong(SENT, sentNs).putLong(SERVED, dueNs);
    }

    /** Writes when a server of ours answered, now; it does so just before it sends the answer. */
    public static void stampServed(byte[] message) {
        if (message.length >= HEADER) {
            header(message).putLong(SERVED, System.nanoTime());
        }
    }

    /** User who sent it; -1 where it is no message of ours. */
    public static int user(byte[] message) {
        return message.length >= HEADER && header(message).getInt(0) == MAGIC
                ? header(message).getInt(USER) : -1;
    }

    /** Phase and number. */
    public static long sequence(byte[] message) {
        return header(message).getLong(SEQUENCE);
    }

    /** Time at which it was sent. */
    public static long sentNs(byte[] message) {
        return header(message).getLong(SENT);
    }

    /** Time at which it was answered or due, as the kind of message has it. */
    public static long servedNs(byte[] message) {
        return header(message).getLong(SERVED);
    }

    /** Place in the pool at which a payload begins. */
    private static int from(long word) {
        return (int) word & POOL - 1;
    }

    private static ByteBuffer header(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    }
}
