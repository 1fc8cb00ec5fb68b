package io.wirelab.codec.baseline;

import io.wirelab.codec.Step;
import io.wirelab.codec.Subject;
import io.wirelab.sdk.JsonWriter;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.LoopTemplate;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** {@code copy} and {@code touch} of a shape. */
final class BaselineSubject<N> implements Subject {
    private static final int LEAST = 8;
    private static final int TEXT_SHARE = 4;

    private final Step<N> step;

    BaselineSubject(Step<N> step) {
        this.step = step;
    }

    @Override
    public String step() {
        return step.shape().name();
    }

    @Override
    public int size() {
        return step.pool().size();
    }

    @Override
    public List<String> operations() {
        return List.of("copy", "touch");
    }

    @Override
    public boolean answers() {
        return false;
    }

    @Override
    public Loop loop(String operation) throws Exception {
        return switch (operation) {
            case "copy" -> LoopTemplate.own(MethodHandles.lookup(), CopyLoop.class, lengths());
            case "touch" -> LoopTemplate.own(MethodHandles.lookup(), TouchLoop.class,
                    step.shape(), step.pool());
            default -> throw new IllegalArgumentException("a baseline has no " + operation);
        };
    }

    /** A quarter of what each instance has as JSON. */
    private int[] lengths() {
        return step.neutral().stream()
                .mapToInt(one -> JsonWriter.write(one).getBytes(StandardCharsets.UTF_8).length)
                .map(length -> Math.max(LEAST, length / TEXT_SHARE))
                .toArray();
    }
}
