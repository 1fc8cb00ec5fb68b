package io.wirelab.codec.jackson;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.wirelab.codec.NativeCodec;
import java.io.IOException;

/** A type with its writer and its reader. */
final class JacksonCodec<N> implements NativeCodec<N> {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    JacksonCodec(ObjectWriter writer, ObjectReader reader) {
        this.writer = writer;
        this.reader = reader;
    }

    @Override
    public byte[] encode(N value) throws IOException {
        return writer.writeValueAsBytes(value);
    }

    @Override
    public N decode(byte[] bytes) throws IOException {
        return reader.readValue(bytes);
    }
}
