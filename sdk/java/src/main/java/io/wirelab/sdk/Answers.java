package io.wirelab.sdk;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The answers file: exact answers, one JSON object a line, for the suite's verifier.
 * For one thread, and never inside the timed part.
 */
public final class Answers implements AutoCloseable {
    private final OutputStream out;
    private final CRC32 checksum = new CRC32();
    private long lines;

    /** Makes the file at {@code path}, or empties it. */
    Answers(Path path) throws IOException {
        // Not a channel: one that a thread of a lane writes to is closed when that is interrupted.
        out = new BufferedOutputStream(new FileOutputStream(path.toFile()), 1 << 16);
    }

    /**
     * Writes the answer of an operation.
     *
     * @param phase {@code preflight} or {@code measure}
     * @param tick counts from 0 in each phase
     * @throws IOException if it cannot be written, as on a full disk
     */
    public void write(String phase, String operation, long tick, long startNs, long endNs,
            Map<String, ?> answer) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("phase", phase);
        line.put("operation", operation);
        line.put("tick", tick);
        line.put("start_ns", startNs);
        line.put("end_ns", endNs);
        line.put("answer", answer);
        add(line);
    }

    /** Writes a line with members of the suite's own. */
    public void add(Map<String, ?> line) throws IOException {
        write(JsonWriter.write(line));
    }

    /** Writes a line whose answer is in words already. */
    void add(Map<String, ?> line, String answer) throws IOException {
        String words = JsonWriter.write(line);
        write(words.substring(0, words.length() - 1) + ",\"answer\":" + answer + "}");
    }

    private void write(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(bytes);
        checksum.update(bytes);
        lines++;
    }

    /** Makes what was written visible to readers of the file. */
    public void flush() throws IOException {
        out.flush();
    }

    /** Lines written. */
    public long lines() {
        return lines;
    }

    /** CRC-32 (IEEE) of the file's bytes as 8 hexadecimal digits. */
    public String checksum() {
        return String.format("%08x", checksum.getValue());
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
