package io.wirelab.codec.fastjson2;

import io.wirelab.codec.worker.CodecWorker;

/** fastjson2. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new Fastjson2Contender());
    }
}
