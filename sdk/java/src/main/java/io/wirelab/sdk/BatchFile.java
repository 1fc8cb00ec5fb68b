package io.wirelab.sdk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The batch file: a JSON object a line. */
final class BatchFile implements AutoCloseable {
    private final OutputStream out;
    private long lines;

    /** Makes the file at {@code path}, or empties it. */
    BatchFile(Path path) throws IOException {
        out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    }

    /** Writes the batches of an operation. */
    void write(String step, String operation, List<Batch> batches) throws IOException {
        for (Batch batch : batches) {
            write(step, operation, batch.line());
        }
    }

    /** Writes why an operation has no batches. */
    void write(String step, String operation, Failure failure) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("phase", "failed");
        line.putAll(failure.members());
        write(step, operation, line);
    }

    /** Lines written. */
    long lines() {
        return lines;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void write(String step, String operation, Map<String, ?> members) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        line.put("operation", operation);
        line.putAll(members);
        out.write((JsonWriter.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
        lines++;
    }
}
