package io.wirelab.codec.fastjson2;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.TypeReference;
import io.wirelab.codec.Library;
import io.wirelab.codec.LibraryContender;
import io.wirelab.codec.ShapeCodec;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.Telemetry;
import java.util.LinkedHashMap;
import java.util.List;

/** The library's static methods, and a type for each of them. */
final class Fastjson2Contender extends LibraryContender {
    @Override
    public Library library() {
        return Library.of("fastjson2", JSON.class);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new Fastjson2Codec<>(T1.class);
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new Fastjson2Codec<>(T2.class);
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return codec(new TypeReference<List<Integer>>() {});
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return codec(new TypeReference<List<String>>() {});
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return codec(new TypeReference<LinkedHashMap<String, List<Integer>>>() {});
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new Fastjson2Codec<>(Telemetry.class);
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new Fastjson2Codec<>(Chat.class);
    }

    private static <N> ShapeCodec<N> codec(TypeReference<N> type) {
        return new Fastjson2Codec<>(type.getType());
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return VersionCodec.of(new Fastjson2Codec<>(type));
    }
}
