package io.wirelab.codec.fory;

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
import org.apache.fory.Fory;

/** One Fory for the thread, kept as it advises: its serializers are generated once. */
final class ForyContender extends LibraryContender {
    private final Fory fory = fory();

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

    private static Fory fory() {
        Fory fory = tuned();
        fory.register(T1.class);
        fory.register(T2.class);
        fory.register(Telemetry.class);
        fory.register(TelemetryPoint.class);
        fory.register(Chat.class);
        fory.register(Author.class);
        fory.register(Stroke.class);
        fory.register(Position.class);
        return fory;
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
    protected ShapeCodec<T1> t1() {
        return new ForyCodec<>(fory, T1.class);
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new ForyCodec<>(fory, T2.class);
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new ForyCodec<>(fory, ArrayList.class);
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new ForyCodec<>(fory, ArrayList.class);
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new ForyCodec<>(fory, LinkedHashMap.class);
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new ForyCodec<>(fory, Telemetry.class);
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new ForyCodec<>(fory, Chat.class);
    }

    /** A program of its own, which registers what it has under the same numbers as the other. */
    @Override
    public VersionCodec version(Class<?> type) throws Exception {
        Fory own = tuned();
        own.register(type);
        own.register(Readings.level(type));
        return VersionCodec.of(new ForyCodec<>(own, type));
    }
}
