package io.wirelab.sdk;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The interval file, for what happens too often for a record each. It exists from the beginning. For
 * one thread at a time.
 */
public final class Intervals implements AutoCloseable {
    private final BufferedWriter file;

    /** Makes the file at {@code path}, or empties it. */
    public Intervals(Path path) throws IOException {
        file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    }

    /** Writes a line. */
    public void write(Interval interval) throws IOException {
        file.write(interval.line());
    }

    /** Makes what was written visible to readers of the file. */
    public void flush() throws IOException {
        file.flush();
    }

    /** Completes the file. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
