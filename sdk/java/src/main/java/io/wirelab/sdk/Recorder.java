package io.wirelab.sdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The sample file. Safe from any number of threads; no lock but once a chunk, no garbage.
 *
 * <p>Records go to chunks of memory outside the heap; a full chunk is written to its place in the
 * file by a daemon thread, and used again. Not a mapped file: touching a page of one can wait for
 * the file system, and that wait would be in the middle of a measurement.
 */
public final class Recorder implements AutoCloseable {
    /** Bytes of a record, and of the header. */
    public static final int RECORD_SIZE = 32;

    /** Records of a chunk: 128 KiB, small beside any runtime, and seconds at ordinary rates. */
    static final int CHUNK_RECORDS = 4096;

    /** Chunks at most, 8 MiB together: whoever outruns the disk by that much waits for it. */
    static final int CHUNKS = 64;

    private static final short VERSION = 1;
    private static final int CLOCK_MONOTONIC = 1;
    private static final long UNSIGNED_INT_MAX = 0xffff_ffffL;

    private final FileChannel file;
    private final BlockingQueue<Chunk> full = new LinkedBlockingQueue<>();
    private final BlockingQueue<Chunk> spare = new LinkedBlockingQueue<>();
    private final Thread writer = new Thread(this::writeFullChunks, "wirelab-recorder");
    private volatile Chunk current = new Chunk(CHUNK_RECORDS);
    private int chunks = 1;
    private volatile boolean closed;
    private volatile long recorded;
    private volatile IOException failure;

    /** Makes the file at {@code path}, with its header. */
    public Recorder(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        writeAll(header(), 0);
        addSpare();
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Records an operation.
     *
     * @param size payload in bytes; more than 32 bits hold is kept as their maximum
     * @throws IllegalStateException after {@link #close}
     */
    public void record(long intendedNs, long startNs, long endNs, long size, int operation,
            int status, int lane) {
        while (true) {
            Chunk chunk = current;
            int slot = chunk.claimed.getAndIncrement();
            if (slot < CHUNK_RECORDS) {
                chunk.put(slot, intendedNs, startNs, endNs, size, operation, status, lane);
                if (chunk.written.incrementAndGet() == CHUNK_RECORDS) {
                    full.add(chunk);
                }
                return;
            }
            advance(chunk);
        }
    }

    /** Records so far. */
    public long count() {
        Chunk chunk = current;
        return closed ? recorded
                : chunk.ordinal * CHUNK_RECORDS + Math.min(chunk.claimed.get(), CHUNK_RECORDS);
    }

    /**
     * Writes everything to the file. Nobody may record any more.
     *
     * @throws IOException if any record could not be written, now or earlier
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        Chunk last = current;
        // Claims every slot that is left: whoever still comes finds the recorder closed.
        int records = Math.min(last.claimed.getAndSet(CHUNK_RECORDS), CHUNK_RECORDS);
        recorded = last.ordinal * CHUNK_RECORDS + records;
        closed = true;
        // One that claimed its slot just before may still be filling it.
        while (last.written.get() < records) {
            Thread.yield();
        }
        try (file) {
            if (records < CHUNK_RECORDS) {
                last.used = records;
                full.add(last);
            }
            full.add(Chunk.END);
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing samples", interrupted);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized void advance(Chunk filled) {
        if (closed) {
            throw new IllegalStateException("the recorder is closed");
        }
        // A thread that was held up may come with a chunk that has since been used again.
        if (current == filled && filled.claimed.get() >= CHUNK_RECORDS) {
            if (spare.isEmpty() && chunks < CHUNKS) {
                addSpare();
            }
            Chunk next = takeSpare();
            next.begin(filled.ordinal + 1);
            current = next;
        }
    }

    private void addSpare() {
        spare.add(new Chunk(CHUNK_RECORDS));
        chunks++;
    }

    private Chunk takeSpare() {
        try {
            return spare.take();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the disk", interrupted);
        }
    }

    private void writeFullChunks() {
        try {
            for (Chunk chunk = full.take(); chunk != Chunk.END; chunk = full.take()) {
                write(chunk);
                spare.add(chunk);
            }
        } catch (InterruptedException interrupted) {
            failure = new IOException("interrupted while writing samples", interrupted);
        }
    }

    /** After a failure nothing more is written, but chunks still go round: memory stays bounded. */
    private void write(Chunk chunk) {
        try {
            if (failure == null) {
                long position = (1 + chunk.ordinal * CHUNK_RECORDS) * RECORD_SIZE;
                writeAll(chunk.bytes.clear().limit(chunk.used * RECORD_SIZE), position);
            }
        } catch (IOException cannotWrite) {
            failure = cannotWrite;
        }
    }

    private void writeAll(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    private static ByteBuffer header() {
        return ByteBuffer.allocate(RECORD_SIZE).order(ByteOrder.LITTLE_ENDIAN)
                .put("WLSAMPLE".getBytes(StandardCharsets.US_ASCII))
                .putShort(VERSION)
                .putShort((short) RECORD_SIZE)
                .putInt(CLOCK_MONOTONIC)
                .rewind();
    }

    private static final class Chunk {
        static final Chunk END = new Chunk(0);

        final ByteBuffer bytes;
        final AtomicInteger claimed = new AtomicInteger();
        final AtomicInteger written = new AtomicInteger();
        long ordinal;
        int used;

        Chunk(int records) {
            // Zeroed by the allocation, so that its pages are there before the first record.
            bytes = ByteBuffer.allocateDirect(records * RECORD_SIZE).order(ByteOrder.LITTLE_ENDIAN);
            used = records;
        }

        /** Only here may slots be claimed again: before, the chunk belongs to the writer. */
        void begin(long ordinal) {
            this.ordinal = ordinal;
            written.set(0);
            claimed.set(0);
        }

        void put(int slot, long intendedNs, long startNs, long endNs, long size, int operation,
                int status, int lane) {
            int at = slot * RECORD_SIZE;
            bytes.putLong(at, intendedNs);
            bytes.putLong(at + 8, startNs);
            bytes.putLong(at + 16, endNs);
            bytes.putInt(at + 24, (int) Math.min(size, UNSIGNED_INT_MAX));
            bytes.put(at + 28, (byte) operation);
            bytes.put(at + 29, (byte) status);
            bytes.putShort(at + 30, (short) lane);
        }
    }
}
