package io.wirelab.codec.worker;

import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** The same records so many times over, one after the other. */
record Streams(LargeCodec codec, List<TelemetryPoint> records, int times) {
    /** Bytes that go to a file at once, and come from one. */
    private static final int CHUNK = 1 << 16;

    int write(Map<String, Object> told) throws Exception {
        Ends file = new Ends();
        OutputStream buffered = new BufferedOutputStream(file, CHUNK);
        write(buffered, times);
        buffered.flush();
        told.put("size", file.size);
        told.put("first", (long) file.first);
        told.put("last", (long) file.last);
        return 7 * (int) file.size + file.first + 5 * file.last;
    }

    LargeStep.Task reading() throws Exception {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        write(block, 1);
        byte[] bytes = block.toByteArray();
        return told -> read(bytes, told);
    }

    private void write(OutputStream file, int iterations) throws Exception {
        RecordWriter writer = codec.writer(file);
        for (int iteration = 0; iteration < iterations; iteration++) {
            for (int k = 0; k < records.size(); k++) {
                writer.write(records.get(k));
            }
        }
        writer.flush();
    }

    private int read(byte[] block, Map<String, Object> told) throws Exception {
        InputStream file = new BufferedInputStream(new RepeatedFile(block, times), CHUNK);
        RecordReader reader = codec.reader(file);
        int sum = 0;
        for (TelemetryPoint point = reader.next(); point != null; point = reader.next()) {
            sum += Fold.LENGTH + 3 * (int) point.time + 5 * Fold.floating(point.value)
                    + 7 * point.quality;
        }
        told.put("fold", Integer.toUnsignedLong(sum));
        return sum;
    }

    /** A file that keeps nothing but its length, its first byte and its last one. */
    private static final class Ends extends OutputStream {
        long size;
        int first;
        int last;

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] part, int from, int length) {
            if (length > 0) {
                first = size == 0 ? part[from] & 0xff : first;
                last = part[from + length - 1] & 0xff;
                size += length;
            }
        }
    }

    /** A file with the same bytes so many times, which takes the memory of one. */
    private static final class RepeatedFile extends InputStream {
        private final byte[] block;
        private int left;
        private int at;

        RepeatedFile(byte[] block, int times) {
            this.block = block;
            this.left = times;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] room, int to, int most) {
            if (left == 0) {
                return -1;
            }
            int length = Math.min(most, block.length - at);
            System.arraycopy(block, at, room, to, length);
            at += length;
            if (at == block.length) {
                at = 0;
                left--;
            }
            return length;
        }
    }
}
