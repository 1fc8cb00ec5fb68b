package io.wirelab.codec.fory;

import io.wirelab.codec.Library;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.NativeType;
import io.wirelab.codec.UniformContender;
import io.wirelab.codec.evolution.Readings;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import org.apache.fory.Fory;

/** One Fory for the thread, kept as it advises: its serializers are generated once. */
public final class ForyContender extends UniformContender {
    private final Fory fory = tuned();

    private ForyContender() {
        CLASSES.forEach(fory::register);
    }

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new ForyContender());
    }

    /**
     * The tuning: Java on both sides and of the same classes, no value referred to twice; code is
     * generated before the first message instead of beside it.
     */
    private static Fory tuned() {
        return Fory.builder()
                .withXlang(false)
                .withCompatible(false)
                .withRefTracking(false)
                .requireClassRegistration(true)
                .withAsyncCompilation(false)
                .build();
    }

    @Override
    public Library library() {
        return Library.of("Apache Fory", Fory.class);
    }

    @Override
    public String format() {
        return "fory";
    }

    @Override
    protected <N> ForyCodec<N> codec(NativeType<N> type) {
        return new ForyCodec<>(fory, type.made());
    }

    /** A program of its own, which registers what it has under the same numbers as the other. */
    @Override
    public VersionCodec version(Class<?> type) throws Exception {
        Fory own = tuned();
        own.register(type);
        own.register(Readings.level(type));
        return VersionCodec.of(new ForyCodec<>(own, type));
    }

    @Override
    public LargeCodec large() {
        return new ForyLarge(fory, Whole.of(codec(new NativeType<byte[]>(byte[].class) {})),
                Whole.of(codec(new NativeType<Telemetry>(Telemetry.class) {})));
    }

    /** A class, written to and read from bytes. */
    private record ForyCodec<N>(Fory fory, Class<?> type) implements NativeCodec<N> {
        @Override
        public byte[] encode(N value) {
            return fory.serialize(value);
        }

        @Override
        @SuppressWarnings("unchecked") // Fory knows classes, not the types of their elements.
        public N decode(byte[] bytes) {
            return (N) fory.deserialize(bytes, type);
        }
    }
}
