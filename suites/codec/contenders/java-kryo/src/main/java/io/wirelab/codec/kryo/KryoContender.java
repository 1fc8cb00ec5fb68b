package io.wirelab.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.wirelab.codec.Library;
import io.wirelab.codec.LibraryContender;
import io.wirelab.codec.ShapeCodec;
import io.wirelab.codec.evolution.Readings;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.shapes.Author;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.Position;
import io.wirelab.codec.shapes.Stroke;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** One Kryo for the thread, one output and one input, kept and used again as Kryo advises. */
final class KryoContender extends LibraryContender {
    /** The tuning: room for any message of the suite, so that the output never grows. */
    private static final int OUTPUT_BYTES = 1 << 16;

    private final Kryo kryo = kryo();
    private final Output output = new Output(OUTPUT_BYTES, -1);
    private final Input input = new Input();

    /** Registered, a class is written as one small number instead of its name. */
    private static Kryo kryo() {
        Kryo kryo = new Kryo();
        kryo.register(ArrayList.class);
        kryo.register(LinkedHashMap.class);
        kryo.register(T1.class);
        kryo.register(T2.class);
        kryo.register(Telemetry.class);
        kryo.register(TelemetryPoint.class);
        kryo.register(Chat.class);
        kryo.register(Author.class);
        kryo.register(Stroke.class);
        kryo.register(Position.class);
        return kryo;
    }

    @Override
    public Library library() {
        return Library.of("Kryo", Kryo.class);
    }

    @Override
    public String format() {
        return "kryo";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new KryoCodec<>(kryo, output, input, T1.class);
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new KryoCodec<>(kryo, output, input, T2.class);
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new KryoCodec<>(kryo, output, input, ArrayList.class);
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new KryoCodec<>(kryo, output, input, ArrayList.class);
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new KryoCodec<>(kryo, output, input, LinkedHashMap.class);
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new KryoCodec<>(kryo, output, input, Telemetry.class);
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new KryoCodec<>(kryo, output, input, Chat.class);
    }

    /** A program of its own, which registers what it has under the same numbers as the other. */
    @Override
    public VersionCodec version(Class<?> type) throws Exception {
        Kryo own = new Kryo();
        own.register(type);
        own.register(Readings.level(type));
        KryoCodec<Object> codec =
                new KryoCodec<>(own, new Output(OUTPUT_BYTES, -1), new Input(), type);
        return new VersionCodec() {
            @Override
            public byte[] encode(Object reading) {
                return codec.contentOf(codec.encode(reading));
            }

            @Override
            public Object decode(byte[] bytes) {
                return codec.decode(codec.bytesOf(bytes));
            }
        };
    }
}
