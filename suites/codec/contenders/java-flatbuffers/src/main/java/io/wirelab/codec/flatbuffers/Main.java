package io.wirelab.codec.flatbuffers;

import io.wirelab.codec.worker.CodecWorker;

/** FlatBuffers with generated views. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new FlatbuffersContender());
    }
}
