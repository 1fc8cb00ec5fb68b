package io.wirelab.codec;

import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.ChatShape;
import io.wirelab.codec.shapes.Shape;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T1Shape;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.T2Shape;
import io.wirelab.codec.shapes.T3Shape;
import io.wirelab.codec.shapes.T4Shape;
import io.wirelab.codec.shapes.T5Shape;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryShape;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;

/** A library with a codec for each shape. */
public abstract class LibraryContender implements Contender {
    /** Ten primitives. */
    protected abstract ShapeCodec<T1> t1();

    /** Eight strings. */
    protected abstract ShapeCodec<T2> t2();

    /** A list of integers. */
    protected abstract ShapeCodec<List<Integer>> t3();

    /** A list of strings. */
    protected abstract ShapeCodec<List<String>> t4();

    /** A map from string to list of integers. */
    protected abstract ShapeCodec<LinkedHashMap<String, List<Integer>>> t5();

    /** A thousand points. */
    protected abstract ShapeCodec<Telemetry> telemetry();

    /** A message of a whiteboard. */
    protected abstract ShapeCodec<Chat> chat();

    @Override
    public final Subject subject(Path suite, String name) throws Exception {
        return switch (name) {
            case "T1" -> subject(suite, new T1Shape(), t1());
            case "T2" -> subject(suite, new T2Shape(), t2());
            case "T3" -> subject(suite, new T3Shape(), t3());
            case "T4" -> subject(suite, new T4Shape(), t4());
            case "T5" -> subject(suite, new T5Shape(), t5());
            case "telemetry" -> subject(suite, new TelemetryShape(), telemetry());
            case "chat" -> subject(suite, new ChatShape(), chat());
            default -> throw new IllegalArgumentException("no shape is called " + name);
        };
    }

    private static <N> Subject subject(Path suite, Shape<N> shape, ShapeCodec<N> codec)
            throws Exception {
        return codec.subject(PooledShape.load(suite, shape));
    }
}
