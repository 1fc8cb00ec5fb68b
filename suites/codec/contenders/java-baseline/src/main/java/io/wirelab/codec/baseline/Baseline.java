package io.wirelab.codec.baseline;

import io.wirelab.codec.Contender;
import io.wirelab.codec.Library;
import io.wirelab.codec.PooledShape;
import io.wirelab.codec.Subject;
import io.wirelab.codec.shapes.Shape;
import io.wirelab.codec.worker.CodecWorker;
import io.wirelab.sdk.JsonWriter;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.LoopTemplate;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Copies as many bytes as an encoding has, and folds values that are there already. */
final class Baseline implements Contender {
    private static final int LEAST = 8;
    private static final int TEXT_SHARE = 4;

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new Baseline());
    }

    @Override
    public Library library() {
        return new Library("Java", System.getProperty("java.version"));
    }

    @Override
    public String format() {
        return "none";
    }

    @Override
    public Subject subject(Path suite, String name) throws IOException {
        return new BaselineSubject<>(PooledShape.load(suite, Shape.named(name)));
    }

    /** {@code copy} and {@code touch} of a shape. */
    private record BaselineSubject<N>(PooledShape<N> data) implements Subject {
        @Override
        public String step() {
            return data.shape().name();
        }

        @Override
        public int size() {
            return data.pool().size();
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
                        data.shape(), data.pool());
                default -> throw new IllegalArgumentException("a baseline has no " + operation);
            };
        }

        /** A quarter of what each instance has as JSON. */
        private int[] lengths() {
            return data.neutral().stream()
                    .mapToInt(one -> JsonWriter.write(one).getBytes(StandardCharsets.UTF_8).length)
                    .map(length -> Math.max(LEAST, length / TEXT_SHARE))
                    .toArray();
        }
    }
}
