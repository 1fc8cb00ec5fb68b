package io.wirelab.harness;

import io.wirelab.sdk.BatchWorker;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.LoopTemplate;
import io.wirelab.sdk.Repeated;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Iterations that have nothing to do but a sum. */
final class HarnessBatches implements Repeated {
    private static final int NUMBERS = 1_000;

    static void play(BatchWorker worker) throws Exception {
        worker.ready(Map.of("name", "wirelab-sdk-java", "version", "0.1.0"), Map.of());
        worker.repeat(List.of(new HarnessBatches()), step -> { });
    }

    @Override
    public String step() {
        return "sum";
    }

    @Override
    public List<String> operations() {
        return List.of("nothing");
    }

    @Override
    public Loop loop(String operation) throws Exception {
        List<Integer> numbers = IntStream.range(0, NUMBERS).boxed().toList();
        return LoopTemplate.own(MethodHandles.lookup(), SumLoop.class, numbers);
    }
}
