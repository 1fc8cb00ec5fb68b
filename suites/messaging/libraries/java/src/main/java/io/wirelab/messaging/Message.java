package io.wirelab.messaging;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What users send each other: a header of 32 bytes (little-endian) and a payload that follows from
 * the trial's seed, so that every receiver can tell whether each byte is the one that was sent.
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

    /** The pool twice, so that a slice of up to its size never wraps. */
    private final byte[] pool = new byte[2 * POOL];

    /** Messages of a trial with {@code seed}. */
    public Message(long seed) {
        int salt = (int) seed * 40503;
        for (int i = 0; i < pool.length; i++) {
            pool[i] = (byte) (((i % POOL + 1) * 0x9E3779B1 + salt) >>> 16);
        }
    }

    /** A message of {@code size} bytes, at least {@link #HEADER}, without its times. */
    public byte[] compose(int user, long sequence, int size) {
        byte[] message = new byte[Math.max(size, HEADER)];
        ByteBuffer header = header(message);
        header.putInt(0, MAGIC).putInt(USER, user).putLong(SEQUENCE, sequence);
        int from = offset(user, sequence);
        for (int at = HEADER; at < message.length; at += POOL) {
            System.arraycopy(pool, from, message, at, Math.min(POOL, message.length - at));
        }
        return message;
    }

    /** Whether {@code message} is the one that {@code user} sent as {@code sequence}. */
    public boolean isIntact(byte[] message, int user, long sequence, int size) {
        if (message.length != Math.max(size, HEADER)) {
            return false;
        }
        ByteBuffer header = header(message);
        if (header.getInt(0) != MAGIC || header.getInt(USER) != user
                || header.getLong(SEQUENCE) != sequence) {
            return false;
        }
        int from = offset(user, sequence);
        for (int at = HEADER; at < message.length; at += POOL) {
            int length = Math.min(POOL, message.length - at);
            if (!Arrays.equals(pool, from, from + length, message, at, at + length)) {
                return false;
            }
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

    /** Who sent it; -1 where it is no message of ours. */
    public static int user(byte[] message) {
        return message.length >= HEADER && header(message).getInt(0) == MAGIC
                ? header(message).getInt(USER) : -1;
    }

    /** Phase and number. */
    public static long sequence(byte[] message) {
        return header(message).getLong(SEQUENCE);
    }

    /** When it was sent. */
    public static long sentNs(byte[] message) {
        return header(message).getLong(SENT);
    }

    /** When it was answered or due, as the kind of message has it. */
    public static long servedNs(byte[] message) {
        return header(message).getLong(SERVED);
    }

    private static int offset(int user, long sequence) {
        return (int) Math.floorMod(sequence * 97 + user * 389L, (long) POOL);
    }

    private static ByteBuffer header(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    }
}
