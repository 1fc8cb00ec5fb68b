package io.wirelab.codec.jackson;

import io.wirelab.codec.worker.CodecWorker;

/** Jackson's data binding. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new JacksonContender());
    }
}
