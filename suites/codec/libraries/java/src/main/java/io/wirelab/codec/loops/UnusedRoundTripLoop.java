package io.wirelab.codec.loops;

import io.wirelab.codec.Codec;
import io.wirelab.sdk.Loop;
import java.util.ArrayList;

/** {@code round_trip_unused}: {@link RoundTripLoop} of which nobody uses anything. */
public final class UnusedRoundTripLoop<N, D, B> extends Loop {
    private final Codec<N, D, B> codec;
    private final ArrayList<N> values;

    UnusedRoundTripLoop(Codec<N, D, B> codec, ArrayList<N> values) {
        super(values.size());
        this.codec = codec;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        for (int i = 0; i < iterations; i++) {
            codec.decode(codec.encode(values.get(i)));
        }
        return 0;
    }
}
