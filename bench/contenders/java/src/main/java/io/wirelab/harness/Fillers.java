package io.wirelab.harness;

import io.wirelab.sdk.Recorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Samples recorded only to see what recording costs, in a file of their own. */
final class Fillers {
    private final Path path;
    private final Recorder recorder;

    /** Makes their file in the folder {@code scratch}. */
    Fillers(Path scratch) throws IOException {
        path = scratch.resolve("fillers.samples");
        recorder = new Recorder(path);
    }

    /** Records {@code count} samples, as fast as the recorder takes them. */
    void record(int count, int operation) {
        long now = System.nanoTime();
        for (int lane = 0; lane < count; lane++) {
            recorder.record(now, now, now, 0, operation, 0, lane);
        }
    }

    /** Completes the file, checks that every record is in it, and removes it. */
    void close() {
        try {
            recorder.close();
            long expected = (1 + recorder.count()) * Recorder.RECORD_SIZE;
            if (Files.size(path) != expected) {
                throw new IOException(recorder.count() + " records make no " + Files.size(path)
                        + " bytes");
            }
            Files.delete(path);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
