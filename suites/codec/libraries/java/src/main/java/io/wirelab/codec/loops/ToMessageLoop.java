package io.wirelab.codec.loops;

import io.wirelab.codec.MessageCodec;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code to_message}: from a native value to a message. */
public final class ToMessageLoop<N, M> extends Loop {
    private final MessageCodec<N, M> codec;
    private final ArrayList<N> values;
    private final Sink sink = new Sink();

    ToMessageLoop(MessageCodec<N, M> codec, ArrayList<N> values) {
        super(values.size());
        this.codec = codec;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            M message = codec.toMessage(values.get(i));
            sum += codec.fold(message);
            sink.keep(message);
        }
        return sum;
    }
}
