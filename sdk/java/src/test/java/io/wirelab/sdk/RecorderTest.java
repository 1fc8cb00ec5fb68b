package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
    @TempDir Path folder;

    @Test
    void layoutIsTheContracts() throws IOException {
        Path file = folder.resolve("samples");
        Recorder recorder = new Recorder(file);
        assertEquals(Recorder.RECORD_SIZE, Files.size(file), "the header is there at once");
        recorder.record(1, 2, Long.MAX_VALUE, 1L << 40, 255, 64, 65_535);
        assertEquals(1, recorder.count());
        recorder.close();
        assertEquals(1, recorder.count());
        ByteBuffer expected = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN)
                .put("WLSAMPLE".getBytes()).putShort((short) 1).putShort((short) 32).putInt(1)
                .putLong(0).putLong(0)
                .putLong(1).putLong(2).putLong(Long.MAX_VALUE).putInt(-1)
                .put((byte) 255).put((byte) 64).putShort((short) -1);
        assertArrayEquals(expected.array(), Files.readAllBytes(file));
    }

    @Test
    void keepsEveryRecordOfEveryThread() throws Exception {
        int threads = 4;
        // More than the chunks hold together, so that some are used again.
        int each = Recorder.CHUNKS * RecordChunk.RECORDS / 2 + 7;
        Path file = folder.resolve("samples");
        Recorder recorder = new Recorder(file);
        List<Thread> recording = new ArrayList<>();
        for (int lane = 0; lane < threads; lane++) {
            int own = lane;
            recording.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    recorder.record(i, i + 1L, i + 2L, i, 1, 0, own);
                }
            }));
        }
        recording.forEach(Thread::start);
        long published = 0;
        for (Thread thread : recording) {
            while (thread.isAlive()) {
                long there = recorder.publish();
                assertTrue(published <= there, "records do not vanish");
                long size = Files.size(file);
                assertTrue((1 + there) * Recorder.RECORD_SIZE <= size, "all that is said is there");
                published = there;
                thread.join(1);
            }
        }
        assertEquals((long) threads * each, recorder.publish());
        assertEquals((1L + threads * each) * Recorder.RECORD_SIZE, Files.size(file));
        recorder.close();
        assertEquals((long) threads * each, recorder.count());

        ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.LITTLE_ENDIAN).position(Recorder.RECORD_SIZE);
        long[] next = new long[threads];
        while (records.hasRemaining()) {
            long intended = records.getLong();
            assertEquals(intended + 1, records.getLong());
            assertEquals(intended + 2, records.getLong());
            assertEquals(intended, records.getInt());
            records.getShort();
            int lane = records.getShort();
            assertEquals(next[lane]++, intended, "each thread's records are in its own order");
        }
        for (long seen : next) {
            assertEquals(each, seen);
        }
    }

    @Test
    void writesWhatIsPublishedAtOnce() throws IOException {
        Path file = folder.resolve("samples");
        Recorder recorder = new Recorder(file);
        assertEquals(0, recorder.publish());
        for (int start = 1; start <= RecordChunk.RECORDS; start++) {
            recorder.record(start, start, start, 0, 1, 0, 0);
            if (start <= 3 || start == RecordChunk.RECORDS) {
                assertEquals(start, recorder.publish());
                assertEquals(start, recorder.publish(), "there is nothing new");
                assertEquals((1L + start) * Recorder.RECORD_SIZE, Files.size(file));
            }
        }
        recorder.record(0, 0, 0, 0, 1, 0, 0);
        recorder.close();
        assertEquals(RecordChunk.RECORDS + 1, recorder.publish(), "all of it");
        ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int start = 1; start <= RecordChunk.RECORDS; start++) {
            assertEquals(start, records.getLong(start * Recorder.RECORD_SIZE));
        }
    }

    @Test
    void publishesForWhoIsInterrupted() throws IOException {
        Path file = folder.resolve("samples");
        try (Recorder recorder = new Recorder(file)) {
            recorder.record(1, 2, 3, 0, 1, 0, 0);
            Thread.currentThread().interrupt();
            assertEquals(1, recorder.publish());
            assertTrue(Thread.interrupted(), "whoever interrupted is still to be heard");
            recorder.record(1, 2, 3, 0, 1, 0, 0);
        }
        assertEquals(3L * Recorder.RECORD_SIZE, Files.size(file));
    }

    @Test
    void refusesRecordsAfterTheEnd() throws IOException {
        Recorder recorder = new Recorder(folder.resolve("samples"));
        recorder.close();
        assertThrows(IllegalStateException.class, () -> recorder.record(1, 2, 3, 0, 1, 0, 0));
        assertEquals(0, recorder.count());
    }

    @Test
    void saysThatTheDiskIsFull() throws IOException {
        Path full = Path.of("/dev/full");
        if (Files.exists(full)) {
            assertThrows(IOException.class, () -> new Recorder(full).close());
        }
    }
}
