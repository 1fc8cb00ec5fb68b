package io.wirelab.messaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The key of a trial: the content of messages follows from it, and no server is given it. */
final class Secret {
    private Secret() {}

    /** Takes it from the descriptor that this process was handed; empty outside of a trial. */
    static byte[] taken() throws IOException {
        String number = System.getenv("WIRELAB_SECRET");
        return number == null ? new byte[0]
                : Files.readAllBytes(Path.of("/proc/self/fd", number));
    }
}
