package io.wirelab.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.wirelab.codec.BufferCodec;
import io.wirelab.codec.Library;
import io.wirelab.codec.NativeType;
import io.wirelab.codec.Slice;
import io.wirelab.codec.UniformContender;
import io.wirelab.codec.evolution.Readings;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** One Kryo for the thread, one output and one input, kept and used again as Kryo advises. */
public final class KryoContender extends UniformContender {
    /** The tuning: room for any message of the suite, so that the output never grows. */
    private static final int OUTPUT_BYTES = 1 << 16;

    private final Kryo kryo = new Kryo();
    private final Output output = new Output(OUTPUT_BYTES, -1);
    private final Input input = new Input();

    /** Registered, a class is written as one small number instead of its name. */
    private KryoContender() {
        kryo.register(ArrayList.class);
        kryo.register(LinkedHashMap.class);
        CLASSES.forEach(kryo::register);
        kryo.register(byte[].class);
    }

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new KryoContender());
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
    protected <N> KryoCodec<N> codec(NativeType<N> type) {
        return new KryoCodec<>(kryo, output, input, type.made(), new Slice());
    }

    /** A program of its own, which registers what it has under the same numbers as the other. */
    @Override
    public VersionCodec version(Class<?> type) throws Exception {
        Kryo own = new Kryo();
        own.register(type);
        own.register(Readings.level(type));
        return VersionCodec.of(new KryoCodec<>(
                own, new Output(OUTPUT_BYTES, -1), new Input(), type, new Slice()));
    }

    @Override
    public LargeCodec large() {
        return new KryoLarge(kryo, Whole.of(codec(new NativeType<byte[]>(byte[].class) {})),
                Whole.of(codec(new NativeType<Telemetry>(Telemetry.class) {})));
    }

    /** A class, written to the kept output and read through the kept input. */
    private record KryoCodec<N>(Kryo kryo, Output output, Input input, Class<?> type,
            Slice written) implements BufferCodec<N> {
        @Override
        public Slice encode(N value) {
            output.reset();
            kryo.writeObject(output, value);
            return written.set(output.getBuffer(), output.position());
        }

        @Override
        @SuppressWarnings("unchecked") // Kryo knows classes, not the types of their elements.
        public N decode(Slice bytes) {
            input.setBuffer(bytes.array, 0, bytes.length);
            return (N) kryo.readObject(input, type);
        }
    }
}
