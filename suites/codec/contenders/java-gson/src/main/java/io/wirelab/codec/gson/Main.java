package io.wirelab.codec.gson;

import io.wirelab.codec.worker.CodecWorker;

/** Gson. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new GsonContender());
    }
}
