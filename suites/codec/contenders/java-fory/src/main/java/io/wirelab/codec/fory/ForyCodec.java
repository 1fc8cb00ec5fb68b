package io.wirelab.codec.fory;

import io.wirelab.codec.NativeCodec;
import org.apache.fory.Fory;

/** A class, written to and read from bytes. */
final class ForyCodec<N> implements NativeCodec<N> {
    private final Fory fory;
    private final Class<?> type;

    ForyCodec(Fory fory, Class<?> type) {
        this.fory = fory;
        this.type = type;
    }

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
