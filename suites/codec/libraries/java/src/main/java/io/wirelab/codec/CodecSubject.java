package io.wirelab.codec;

import io.wirelab.codec.loops.DecodeLoop;
import io.wirelab.codec.loops.EncodeLoop;
import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import java.util.ArrayList;

/** What steps of every kind of codec have in common. */
abstract class CodecSubject<N, E, D, B> implements Subject {
    static final String TO_MESSAGE = "to_message";
    static final String ENCODE = "encode";
    static final String DECODE = "decode";
    static final String FROM_MESSAGE = "from_message";
    static final String ROUND_TRIP = "round_trip";
    static final String ROUND_TRIP_UNUSED = "round_trip_unused";

    final Step<N> step;
    private final Codec<E, D, B> codec;

    CodecSubject(Step<N> step, Codec<E, D, B> codec) {
        this.step = step;
        this.codec = codec;
    }

    /** What is encoded of a native value. */
    abstract E encodable(N value) throws Exception;

    /** The native value of what was decoded. */
    abstract N value(D decoded) throws Exception;

    @Override
    public String step() {
        return step.shape().name();
    }

    @Override
    public int size() {
        return step.pool().size();
    }

    @Override
    public byte[] encode(int instance) throws Exception {
        return codec.contentOf(codec.encode(encodable(step.pool().get(instance))));
    }

    @Override
    public Decoded decode(byte[] content) throws Exception {
        D decoded = codec.decode(codec.bytesOf(content));
        return () -> step.shape().neutral(value(decoded));
    }

    Loop encodeLoop() throws Exception {
        ArrayList<E> messages = new ArrayList<>();
        for (N value : step.pool()) {
            messages.add(encodable(value));
        }
        return Loops.own(EncodeLoop.class, codec, messages);
    }

    Loop decodeLoop(Folding<D> folding) throws Exception {
        return Loops.own(DecodeLoop.class, codec, folding, encodings());
    }

    ArrayList<D> decoded() throws Exception {
        ArrayList<D> decoded = new ArrayList<>();
        for (B bytes : encodings()) {
            decoded.add(codec.decode(bytes));
        }
        return decoded;
    }

    private ArrayList<B> encodings() throws Exception {
        ArrayList<B> encodings = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            encodings.add(codec.bytesOf(encode(i)));
        }
        return encodings;
    }

    final IllegalArgumentException unknown(String operation) {
        return new IllegalArgumentException(step() + " has no operation " + operation);
    }
}
