package io.wirelab.codec.loops;

import io.wirelab.codec.Codec;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code decode}: from bytes to a message. */
public final class DecodeLoop<E, D, B> extends Loop {
    private final Codec<E, D, B> codec;
    private final Folding<D> folding;
    private final ArrayList<B> encodings;
    private final Sink sink = new Sink();

    DecodeLoop(Codec<E, D, B> codec, Folding<D> folding, ArrayList<B> encodings) {
        super(encodings.size());
        this.codec = codec;
        this.folding = folding;
        this.encodings = encodings;
    }

    @Override
    protected int pass(int iterations) throws Exception {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            D message = codec.decode(encodings.get(i));
            sum += folding.fold(message);
            sink.keep(message);
        }
        return sum;
    }
}
