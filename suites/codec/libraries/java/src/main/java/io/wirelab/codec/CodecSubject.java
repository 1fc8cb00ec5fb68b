package io.wirelab.codec;

import io.wirelab.codec.loops.DecodeLoop;
import io.wirelab.codec.loops.EncodeLoop;
import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.shapes.Folding;
import io.wirelab.sdk.Loop;
import java.util.ArrayList;
import java.util.List;

/** Parts that steps of every kind of codec have in common. */
abstract class CodecSubject<N, E, D, B> implements Subject {
    static final String TO_MESSAGE = "to_message";
    static final String ENCODE = "encode";
    static final String DECODE = "decode";
    static final String FROM_MESSAGE = "from_message";
    static final String ROUND_TRIP = "round_trip";
    static final String ROUND_TRIP_UNUSED = "round_trip_unused";

    final PooledShape<N> pooled;
    private final Codec<E, D, B> codec;

    CodecSubject(PooledShape<N> pooled, Codec<E, D, B> codec) {
        this.pooled = pooled;
        this.codec = codec;
    }

    /** Value that is encoded for a native value. */
    abstract E encodable(N value) throws Exception;

    /** The native value of what was decoded. */
    abstract N value(D decoded) throws Exception;

    @Override
    public String step() {
        return pooled.shape().name();
    }

    @Override
    public int size() {
        return pooled.pool().size();
    }

    @Override
    public byte[] encode(int instance) throws Exception {
        return codec.contentOf(codec.encode(encodable(pooled.pool().get(instance))));
    }

    @Override
    public Decoded decode(byte[] content) throws Exception {
        D decoded = codec.decode(codec.bytesOf(content));
        return () -> pooled.shape().neutral(value(decoded));
    }

    /** {@code change} is made for an audit to native values: none where messages are encoded. */
    Loop encodeLoop(Folding<D> folding, Audit.Change change) throws Exception {
        ArrayList<E> messages = new ArrayList<>();
        for (N value : pooled.pool()) {
            messages.add(encodable(value));
        }
        Audit.Look<D> look = look(folding,
                change == Audit.Change.NONE ? pooled.wanted() : pooled.wantedTwins());
        return Loops.own(EncodeLoop.class, codec, messages)
                .audited(passing() ? copied(messages, change, look)
                        : new Audit<E, B>(messages, change, codec::encode,
                                (bytes, place) -> look.at(codec.decode(bytes), place), false)
                                .spoiling(ContentSwap::overwrite));
    }

    /** The audit of bytes that do not last: copies of them do. */
    private Audit<E, byte[]> copied(List<E> messages, Audit.Change change, Audit.Look<D> look) {
        return new Audit<>(messages, change,
                message -> codec.contentOf(codec.encode(message)).clone(),
                (content, place) -> look.at(codec.decode(codec.bytesOf(content)), place), false);
    }

    /** {@code spoiling} is done to what an audit has decoded. */
    Loop decodeLoop(Folding<D> folding, Audit.Spoiling<D> spoiling) throws Exception {
        List<byte[]> contents = contents(pooled.pool());
        List<byte[]> others = contents(pooled.twins());
        ArrayList<B> encodings = encodings(contents);
        Audit.Change change = ContentSwap.between(encodings, contents, encodings(others), others);
        Audit<B, D> audit = new Audit<>(encodings, change, codec::decode,
                look(folding, pooled.wantedTwins()), passing());
        return Loops.own(DecodeLoop.class, codec, folding, encodings)
                .audited(audit.spoiling(spoiling));
    }

    /** The look at what was decoded: folds see only the ends of texts, comparing sees all. */
    final Audit.Look<D> look(Folding<D> folding, List<N> wanted) {
        return (decoded, place) ->
                folding.fold(decoded) + differs(value(decoded), wanted.get(place));
    }

    /** 1 where a native value is not the wanted one. */
    final int differs(N value, N wanted) {
        return pooled.shape().neutral(value).equals(pooled.shape().neutral(wanted)) ? 0 : 1;
    }

    /** The look at native values. */
    final Audit.Look<N> lookAtNative(List<N> wanted) {
        return (value, place) -> pooled.shape().fold(value) + differs(value, wanted.get(place));
    }

    ArrayList<D> decoded() throws Exception {
        ArrayList<D> decoded = new ArrayList<>();
        for (B bytes : encodings(contents(pooled.pool()))) {
            decoded.add(codec.decode(bytes));
        }
        return decoded;
    }

    private List<byte[]> contents(List<N> values) throws Exception {
        List<byte[]> contents = new ArrayList<>();
        for (N value : values) {
            contents.add(codec.contentOf(codec.encode(encodable(value))));
        }
        return contents;
    }

    private ArrayList<B> encodings(List<byte[]> contents) {
        ArrayList<B> encodings = new ArrayList<>();
        contents.forEach(content -> encodings.add(codec.bytesOf(content)));
        return encodings;
    }

    final IllegalArgumentException unknown(String operation) {
        return new IllegalArgumentException(step() + " has no operation " + operation);
    }
}
