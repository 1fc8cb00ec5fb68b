package io.wirelab.codec.baseline;

import io.wirelab.codec.shapes.Fold;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.Arrays;

/** {@code copy}: a new array with the first bytes of a prepared one. */
final class CopyLoop extends Loop {
    private static final int MODULUS = 251;

    private final int[] lengths;
    private final byte[] prepared;
    private final Sink sink = new Sink();

    CopyLoop(int[] lengths) {
        super(lengths.length);
        this.lengths = lengths;
        prepared = new byte[Arrays.stream(lengths).max().orElse(0)];
        for (int i = 0; i < prepared.length; i++) {
            prepared[i] = (byte) (i % MODULUS);
        }
    }

    @Override
    protected int pass(int iterations) {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            byte[] copy = Arrays.copyOf(prepared, lengths[i]);
            sum += Fold.bytes(copy, copy.length);
            sink.keep(copy);
        }
        return sum;
    }
}
