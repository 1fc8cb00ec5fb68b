package io.wirelab.codec;

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

/** A library that writes and reads every type in one way: being told the type is enough. */
public abstract class UniformContender extends LibraryContender {
    /** The classes of native values, for libraries that want to be told of them beforehand. */
    protected static final List<Class<?>> CLASSES = List.of(T1.class, T2.class, Telemetry.class,
            TelemetryPoint.class, Chat.class, Author.class, Stroke.class, Position.class);

    /** The library's codec of {@code type}. */
    protected abstract <N> ValueCodec<N, ?> codec(NativeType<N> type);

    @Override
    protected final ShapeCodec<T1> t1() {
        return codec(new NativeType<T1>(T1.class) {});
    }

    @Override
    protected final ShapeCodec<T2> t2() {
        return codec(new NativeType<T2>(T2.class) {});
    }

    @Override
    protected final ShapeCodec<List<Integer>> t3() {
        return codec(new NativeType<List<Integer>>(ArrayList.class) {});
    }

    @Override
    protected final ShapeCodec<List<String>> t4() {
        return codec(new NativeType<List<String>>(ArrayList.class) {});
    }

    @Override
    protected final ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return codec(new NativeType<LinkedHashMap<String, List<Integer>>>(LinkedHashMap.class) {});
    }

    @Override
    protected final ShapeCodec<Telemetry> telemetry() {
        return codec(new NativeType<Telemetry>(Telemetry.class) {});
    }

    @Override
    protected final ShapeCodec<Chat> chat() {
        return codec(new NativeType<Chat>(Chat.class) {});
    }

    @Override
    public VersionCodec version(Class<?> type) throws Exception {
        return VersionCodec.of(codec(new NativeType<Object>(type, type)));
    }
}
