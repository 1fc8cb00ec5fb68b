package io.wirelab.codec.kryo;

import io.wirelab.codec.worker.CodecWorker;

/** Kryo with kept buffers. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new KryoContender());
    }
}
