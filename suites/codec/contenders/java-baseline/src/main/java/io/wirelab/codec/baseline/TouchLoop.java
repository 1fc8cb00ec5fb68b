package io.wirelab.codec.baseline;

import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.ArrayList;

/** {@code touch}: the fold of a native value that is there already. */
final class TouchLoop<N> extends Loop {
    private final Folding<N> folding;
    private final ArrayList<N> values;
    private final Sink sink = new Sink();

    TouchLoop(Folding<N> folding, ArrayList<N> values) {
        super(values.size());
        this.folding = folding;
        this.values = values;
    }

    @Override
    protected int pass(int iterations) {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            N value = values.get(i);
            sum += folding.fold(value);
            sink.keep(value);
        }
        return sum;
    }
}
