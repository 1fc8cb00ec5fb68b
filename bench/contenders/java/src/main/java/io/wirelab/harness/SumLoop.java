package io.wirelab.harness;

import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Sink;
import java.util.List;

/** Takes one number after the other, as the loops of the suite {@code codec} take their values. */
final class SumLoop extends Loop {
    private final List<Integer> numbers;
    private final Sink sink = new Sink();

    SumLoop(List<Integer> numbers) {
        super(numbers.size());
        this.numbers = numbers;
    }

    @Override
    protected int pass(int iterations) {
        int sum = 0;
        for (int i = 0; i < iterations; i++) {
            Integer number = numbers.get(i);
            sum += number;
            sink.keep(number);
        }
        return sum;
    }
}
