package io.wirelab.codec.worker;

import io.wirelab.sdk.JsonWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32;

/** A file with a JSON object a line. The SDK's answers have neither steps nor errors. */
final class LineFile implements AutoCloseable {
    private final OutputStream out;
    private final CRC32 checksum = new CRC32();
    private long lines;

    /** Makes the file at {@code path}, or empties it. */
    LineFile(Path path) throws IOException {
        out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    }

    void write(Map<String, ?> line) throws IOException {
        byte[] bytes = (JsonWriter.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(bytes);
        checksum.update(bytes);
        lines++;
    }

    long lines() {
        return lines;
    }

    /** CRC-32 (IEEE) of everything written, as 8 hexadecimal digits. */
    String checksum() {
        return String.format("%08x", checksum.getValue());
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
