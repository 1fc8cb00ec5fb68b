package io.wirelab.codec.fory;

import io.wirelab.codec.worker.CodecWorker;

/** Fory with registered classes. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new ForyContender());
    }
}
