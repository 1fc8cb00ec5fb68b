package io.wirelab.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.wirelab.codec.BufferCodec;
import io.wirelab.codec.Slice;

/** A class, written to the kept output and read through the kept input. */
final class KryoCodec<N> implements BufferCodec<N> {
    private final Kryo kryo;
    private final Output output;
    private final Input input;
    private final Class<?> type;
    private final Slice written = new Slice();

    KryoCodec(Kryo kryo, Output output, Input input, Class<?> type) {
        this.kryo = kryo;
        this.output = output;
        this.input = input;
        this.type = type;
    }

    @Override
    public Slice encode(N value) {
        output.reset();
        kryo.writeObject(output, value);
        return written.set(output.getBuffer(), output.position());
    }

    @Override
    @SuppressWarnings("unchecked") // Kryo knows classes, not the types of their elements.
    public N decode(Slice bytes) {
        input.setBuffer(bytes.array, 0, bytes.length);
        return (N) kryo.readObject(input, type);
    }
}
