package io.wirelab.codec.cgd;

import io.wirelab.codec.worker.CodecWorker;

/** The CGD format. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new CgdContender());
    }
}
