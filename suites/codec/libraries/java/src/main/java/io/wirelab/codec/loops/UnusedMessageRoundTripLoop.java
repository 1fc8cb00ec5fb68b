package io.wirelab.codec.loops;

import io.wirelab.codec.MessageCodec;
import io.wirelab.sdk.Loop;
import java.util.ArrayList;

/** {@code round_trip_unused}: {@link MessageRoundTripLoop} of which nobody uses anything. */
public final class UnusedMessageRoundTripLoop<N, M> extends Loop {
    private final MessageCodec<N, M> codec;
    private final ArrayList<N> values;

    UnusedMessageRoundTripLoop(MessageCodec<N, M> codec, ArrayList<N> values) {
        super(values.size());
        this.codec = codec;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        for (int i = 0; i < iterations; i++) {
            byte[] bytes = codec.encode(codec.toMessage(values.get(i)));
            codec.fromMessage(codec.decode(bytes));
        }
        return 0;
    }
}
