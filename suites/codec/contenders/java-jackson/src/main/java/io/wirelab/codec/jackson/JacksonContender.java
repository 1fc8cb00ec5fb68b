package io.wirelab.codec.jackson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/** One mapper, and a reader and a writer for each type. */
final class JacksonContender extends LibraryContender {
    private final ObjectMapper mapper = mapper();

    /** The tuning: numbers by the faster of Jackson's two ways; and nothing after the value. */
    private static ObjectMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    @Override
    public Library library() {
        return Library.of("Jackson", ObjectMapper.class);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return codec(new TypeReference<T1>() {});
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return codec(new TypeReference<T2>() {});
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
        return codec(new TypeReference<Telemetry>() {});
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return codec(new TypeReference<Chat>() {});
    }

    private <N> ShapeCodec<N> codec(TypeReference<N> type) {
        return new JacksonCodec<>(mapper.writerFor(type), mapper.readerFor(type));
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return VersionCodec.of(
                new JacksonCodec<>(mapper.writerFor(type), mapper.readerFor(type)));
    }
}
