package io.wirelab.codec.baseline;

import io.wirelab.codec.Contender;
import io.wirelab.codec.Library;
import io.wirelab.codec.Step;
import io.wirelab.codec.Subject;
import io.wirelab.codec.shapes.ChatShape;
import io.wirelab.codec.shapes.Shape;
import io.wirelab.codec.shapes.T1Shape;
import io.wirelab.codec.shapes.T2Shape;
import io.wirelab.codec.shapes.T3Shape;
import io.wirelab.codec.shapes.T4Shape;
import io.wirelab.codec.shapes.T5Shape;
import io.wirelab.codec.shapes.TelemetryShape;
import java.io.IOException;
import java.nio.file.Path;

/** Copies as many bytes as an encoding has, and folds values that are there already. */
final class Baseline implements Contender {
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
        return switch (name) {
            case "T1" -> of(suite, new T1Shape());
            case "T2" -> of(suite, new T2Shape());
            case "T3" -> of(suite, new T3Shape());
            case "T4" -> of(suite, new T4Shape());
            case "T5" -> of(suite, new T5Shape());
            case "telemetry" -> of(suite, new TelemetryShape());
            case "chat" -> of(suite, new ChatShape());
            default -> throw new IllegalArgumentException("no shape is called " + name);
        };
    }

    private static <N> Subject of(Path suite, Shape<N> shape) throws IOException {
        return new BaselineSubject<>(Step.load(suite, shape));
    }
}
