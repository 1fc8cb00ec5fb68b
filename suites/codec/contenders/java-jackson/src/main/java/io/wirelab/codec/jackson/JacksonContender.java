package io.wirelab.codec.jackson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.wirelab.codec.Library;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.NativeType;
import io.wirelab.codec.UniformContender;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.io.IOException;

/** Jackson's data binding: one mapper, and a reader and a writer for each type. */
public final class JacksonContender extends UniformContender {
    private final ObjectMapper mapper = mapper();

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new JacksonContender());
    }

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
    protected <N> JacksonCodec<N> codec(NativeType<N> type) {
        JavaType known = mapper.constructType(type.type());
        return new JacksonCodec<>(mapper.writerFor(known), mapper.readerFor(known));
    }

    @Override
    public LargeCodec large() {
        return new JacksonLarge(mapper, Whole.of(codec(new NativeType<byte[]>(byte[].class) {})),
                Whole.of(codec(new NativeType<Telemetry>(Telemetry.class) {})));
    }

    /** A type with its writer and its reader. */
    private record JacksonCodec<N>(ObjectWriter writer, ObjectReader reader)
            implements NativeCodec<N> {
        @Override
        public byte[] encode(N value) throws IOException {
            return writer.writeValueAsBytes(value);
        }

        @Override
        public N decode(byte[] bytes) throws IOException {
            return reader.readValue(bytes);
        }
    }
}
