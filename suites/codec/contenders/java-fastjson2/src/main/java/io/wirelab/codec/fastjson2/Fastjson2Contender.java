package io.wirelab.codec.fastjson2;

import com.alibaba.fastjson2.JSON;
import io.wirelab.codec.Library;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.NativeType;
import io.wirelab.codec.UniformContender;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.lang.reflect.Type;

/** The library's static methods, and a type for each shape. */
public final class Fastjson2Contender extends UniformContender {
    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new Fastjson2Contender());
    }

    @Override
    public Library library() {
        return Library.of("fastjson2", JSON.class);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    protected <N> Fastjson2Codec<N> codec(NativeType<N> type) {
        return new Fastjson2Codec<>(type.type());
    }

    /** Bytes are text in base64, as JSON has it everywhere here. */
    @Override
    public LargeCodec large() {
        Whole<String> texts = Whole.of(codec(new NativeType<String>(String.class) {}));
        return new Fastjson2Large(Whole.inBase64(texts),
                Whole.of(codec(new NativeType<Telemetry>(Telemetry.class) {})));
    }

    /** A type, written to and read from UTF-8. */
    private record Fastjson2Codec<N>(Type type) implements NativeCodec<N> {
        @Override
        public byte[] encode(N value) {
            return JSON.toJSONBytes(value);
        }

        @Override
        public N decode(byte[] bytes) {
            return JSON.parseObject(bytes, type);
        }
    }
}
