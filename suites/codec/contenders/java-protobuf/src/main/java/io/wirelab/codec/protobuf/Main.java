package io.wirelab.codec.protobuf;

import io.wirelab.codec.worker.CodecWorker;

/** Protocol Buffers with generated classes. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new ProtobufContender());
    }
}
