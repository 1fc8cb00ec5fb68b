package io.wirelab.codec.msgpack;

import io.wirelab.codec.worker.CodecWorker;

/** MessagePack, packed and unpacked by hand. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new MsgpackContender());
    }
}
