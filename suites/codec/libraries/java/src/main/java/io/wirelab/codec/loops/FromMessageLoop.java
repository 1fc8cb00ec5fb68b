package io.wirelab.codec.loops;

import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code from_message}: from a message to a native value. */
public final class FromMessageLoop<N, M> extends Loop {
    private final MessageCodec<N, M> codec;
    private final Folding<N> folding;
    private final ArrayList<M> messages;
    private final Sink sink = new Sink();

    FromMessageLoop(MessageCodec<N, M> codec, Folding<N> folding, ArrayList<M> messages) {
        super(messages.size());
        this.codec = codec;
        this.folding = folding;
        this.messages = messages;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            N value = codec.fromMessage(messages.get(i));
            sum += folding.fold(value);
            sink.keep(value);
        }
        return sum;
    }
}
