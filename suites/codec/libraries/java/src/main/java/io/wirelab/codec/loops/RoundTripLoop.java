package io.wirelab.codec.loops;

import io.wirelab.codec.Codec;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code round_trip} where native values are encoded: to bytes, and to what is decoded. */
public final class RoundTripLoop<N, D, B> extends Loop {
    private final Codec<N, D, B> codec;
    private final Folding<D> folding;
    private final ArrayList<N> values;
    private final Sink sink = new Sink();

    RoundTripLoop(Codec<N, D, B> codec, Folding<D> folding, ArrayList<N> values) {
        super(values.size());
        this.codec = codec;
        this.folding = folding;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            B bytes = codec.encode(values.get(i));
            sink.keep(bytes);
            D decoded = codec.decode(bytes);
            sum += folding.fold(decoded);
            sink.keep(decoded);
        }
        return sum;
    }
}
