package io.wirelab.codec.baseline;

import io.wirelab.codec.worker.CodecWorker;

/** What the language itself costs. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new Baseline());
    }
}
