package io.wirelab.sdk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory for records that follow each other in the file, filled by any number of threads. */
final class RecordChunk {
    /** Records of a chunk: 128 KiB, small beside any runtime, and seconds at ordinary rates. */
    static final int RECORDS = 4096;

    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;

    /** Says that no chunk comes any more. */
    static final RecordChunk END = new RecordChunk(0);

    private final ByteBuffer bytes;
    /** Places that are taken, and more than there are where somebody came too late. */
    private final AtomicInteger claimed = new AtomicInteger();
    /** Places that have their record. */
    private final AtomicInteger filled = new AtomicInteger();
    private long first;
    private int used;

    RecordChunk() {
        this(RECORDS);
    }

    private RecordChunk(int records) {
        // Zeroed by the allocation, so that its pages are there before the first record.
        bytes = ByteBuffer.allocateDirect(records * Recorder.RECORD_SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Only here may places be claimed again: before, the chunk belongs to who writes it. */
    void begin(long first) {
        this.first = first;
        filled.set(0);
        claimed.set(0);
    }

    /** Takes a record; false where there is no place for it. */
    boolean take(long intendedNs, long startNs, long endNs, long size, int operation, int status,
            int lane) {
        int place = claimed.getAndIncrement();
        if (place >= RECORDS) {
            return false;
        }
        int at = place * Recorder.RECORD_SIZE;
        bytes.putLong(at, intendedNs);
        bytes.putLong(at + 8, startNs);
        bytes.putLong(at + 16, endNs);
        bytes.putInt(at + 24, (int) Math.min(size, UNSIGNED_INT_MAX));
        bytes.put(at + 28, (byte) operation);
        bytes.put(at + 29, (byte) status);
        bytes.putShort(at + 30, (short) lane);
        filled.incrementAndGet();
        return true;
    }

    /** Places that are taken. */
    int claimed() {
        return Math.min(claimed.get(), RECORDS);
    }

    /** Takes no more records. */
    void claimRest() {
        used = Math.min(claimed.getAndSet(RECORDS), RECORDS);
    }

    /** Waits for who took a place before the rest was claimed, and is still filling it. */
    void awaitFilled() {
        while (filled.get() < used) {
            Thread.yield();
        }
    }

    /** Its records as they are in the file, once there are no more. */
    ByteBuffer used() {
        return bytes.slice(0, used * Recorder.RECORD_SIZE);
    }

    /** Records of the chunks before. */
    long first() {
        return first;
    }

    /** Records of the chunks before, and its own, once there are no more. */
    long end() {
        return first + used;
    }
}
