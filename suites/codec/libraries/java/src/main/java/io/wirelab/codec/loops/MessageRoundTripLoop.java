package io.wirelab.codec.loops;

import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code round_trip} with messages: native value, message, bytes, and all the way back. */
public final class MessageRoundTripLoop<N, M> extends Loop {
    private final MessageCodec<N, M> codec;
    private final Folding<N> folding;
    private final ArrayList<N> values;
    private final Sink sink = new Sink();

    MessageRoundTripLoop(MessageCodec<N, M> codec, Folding<N> folding, ArrayList<N> values) {
        super(values.size());
        this.codec = codec;
        this.folding = folding;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            byte[] bytes = codec.encode(codec.toMessage(values.get(i)));
            sink.keep(bytes);
            N value = codec.fromMessage(codec.decode(bytes));
            sum += folding.fold(value);
            sink.keep(value);
        }
        return sum;
    }
}
