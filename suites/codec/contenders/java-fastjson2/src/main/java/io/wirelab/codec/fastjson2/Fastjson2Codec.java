package io.wirelab.codec.fastjson2;

import com.alibaba.fastjson2.JSON;
import io.wirelab.codec.NativeCodec;
import java.lang.reflect.Type;

/** A type, written to and read from UTF-8. */
final class Fastjson2Codec<N> implements NativeCodec<N> {
    private final Type type;

    Fastjson2Codec(Type type) {
        this.type = type;
    }

    @Override
    public byte[] encode(N value) {
        return JSON.toJSONBytes(value);
    }

    @Override
    public N decode(byte[] bytes) {
        return JSON.parseObject(bytes, type);
    }
}
