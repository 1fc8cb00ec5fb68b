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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sample file. Safe from any number of threads; no lock but once a chunk, no garbage.
 *
 * <p>Records go to chunks of memory outside the heap. A chunk that is full, or whose records are to
 * be seen, is written to its place in the file by a daemon thread, and used again. Not a mapped
 * file: touching a page of one can wait for the file system, and that wait would be in the middle of
 * a measurement.
 */
public final class Recorder implements AutoCloseable {
    /** Bytes of a record, and of the header. */
    public static final int RECORD_SIZE = 32;

    /** Chunks at most, 8 MiB together: whoever outruns the disk by that much waits for it. */
    static final int CHUNKS = 64;

    private static final short VERSION = 1;
    private static final int CLOCK_MONOTONIC = 1;

    private final FileChannel file;
    /** Chunks to be written, in the order of their records. */
    private final BlockingQueue<RecordChunk> handedOver = new LinkedBlockingQueue<>();
    private final BlockingQueue<RecordChunk> spare = new LinkedBlockingQueue<>();
    private final Thread writer = new Thread(this::writeChunks, "wirelab-recorder");
    private volatile RecordChunk current = new RecordChunk();
    private int chunks = 1;
    private boolean closed;
    private long recorded;

    private final Lock writing = new ReentrantLock();
    private final Condition written = writing.newCondition();
    // Both under the lock.
    private long inFile;
    private IOException failure;

    /** Makes the file at {@code path}, with its header. */
    public Recorder(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        writeAll(header(), 0);
        spare.add(newChunk());
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
            RecordChunk chunk = current;
            if (chunk.take(intendedNs, startNs, endNs, size, operation, status, lane)) {
                return;
            }
            advance(chunk);
        }
    }

    /** Records so far. */
    public synchronized long count() {
        return closed ? recorded : current.first() + current.claimed();
    }

    /**
     * Waits until everything so far is in the file, for who looks at it, and tells how many records
     * that has then. Nobody who records meanwhile waits for it.
     */
    long publish() throws IOException {
        long records = handOverUsed();
        writing.lock();
        try {
            while (inFile < records && failure == null) {
                written.awaitUninterruptibly();
            }
            refuseFailure();
        } finally {
            writing.unlock();
        }
        return records;
    }

    /**
     * Writes everything to the file. Nobody may record any more.
     *
     * @throws IOException if any record could not be written, now or earlier
     */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            current.claimRest();
            recorded = current.end();
            handedOver.add(current);
            handedOver.add(RecordChunk.END);
        }
        try (file) {
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing samples", interrupted);
        }
        refuseFailure();
    }

    private synchronized void advance(RecordChunk full) {
        if (closed) {
            throw new IllegalStateException("the recorder is closed");
        }
        // A thread that was held up may come with a chunk that has since been used again.
        if (current == full && full.claimed() == RecordChunk.RECORDS) {
            handOver();
        }
    }

    /** Hands over what the current chunk has, if anything; returns the records so far. */
    private synchronized long handOverUsed() {
        if (closed) {
            return recorded;
        }
        if (current.claimed() > 0) {
            handOver();
        }
        return current.first();
    }

    /** Hands the current chunk over, as far as it is used, and goes on with the next one. */
    private void handOver() {
        RecordChunk last = current;
        RecordChunk next = nextChunk();
        last.claimRest();
        next.begin(last.end());
        current = next;
        handedOver.add(last);
    }

    private RecordChunk nextChunk() {
        RecordChunk next = spare.poll();
        if (next != null) {
            return next;
        }
        return chunks < CHUNKS ? newChunk() : awaitSpare();
    }

    private RecordChunk newChunk() {
        chunks++;
        return new RecordChunk();
    }

    private RecordChunk awaitSpare() {
        try {
            return spare.take();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the disk", interrupted);
        }
    }

    private void writeChunks() {
        try {
            RecordChunk chunk = handedOver.take();
            while (chunk != RecordChunk.END) {
                chunk.awaitFilled();
                tell(chunk.end(), write(chunk));
                spare.add(chunk);
                chunk = handedOver.take();
            }
        } catch (InterruptedException interrupted) {
            tell(0, new IOException("interrupted while writing samples", interrupted));
        }
    }

    /** Writes a chunk; returns why it could not be written, or null. */
    private IOException write(RecordChunk chunk) {
        try {
            writeAll(chunk.used(), (1 + chunk.first()) * RECORD_SIZE);
            return null;
        } catch (IOException cannotWrite) {
            return cannotWrite;
        }
    }

    /** Tells who waits. After a failure chunks still go round: memory stays bounded. */
    private void tell(long records, IOException why) {
        writing.lock();
        try {
            inFile = records;
            failure = failure == null ? why : failure;
            written.signalAll();
        } finally {
            writing.unlock();
        }
    }

    private void refuseFailure() throws IOException {
        if (failure != null) {
            throw failure;
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
}
