package io.wirelab.codec.loops;

import io.wirelab.codec.Codec;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code encode}: from a message that is there already to bytes. */
public final class EncodeLoop<E, D, B> extends Loop {
    private final Codec<E, D, B> codec;
    private final ArrayList<E> messages;
    private final Sink sink = new Sink();

    EncodeLoop(Codec<E, D, B> codec, ArrayList<E> messages) {
        super(messages.size());
        this.codec = codec;
        this.messages = messages;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            B bytes = codec.encode(messages.get(i));
            sum += codec.foldBytes(bytes);
            sink.keep(bytes);
        }
        return sum;
    }
}
