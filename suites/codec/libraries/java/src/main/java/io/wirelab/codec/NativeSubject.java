package io.wirelab.codec;

import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.loops.RoundTripLoop;
import io.wirelab.codec.loops.UnusedRoundTripLoop;
import io.wirelab.sdk.Loop;
import java.util.List;

/** A step of a codec of native values. */
final class NativeSubject<N, B> extends CodecSubject<N, N, N, B> {
    private final Codec<N, N, B> codec;
    private final boolean kept;

    /** {@code kept} says that the codec's bytes are those of a buffer that is filled again. */
    NativeSubject(PooledShape<N> pooled, Codec<N, N, B> codec, boolean kept) {
        super(pooled, codec);
        this.codec = codec;
        this.kept = kept;
    }

    @Override
    public List<String> operations() {
        return List.of(ENCODE, DECODE, ROUND_TRIP, ROUND_TRIP_UNUSED);
    }

    @Override
    public Loop loop(String operation) throws Exception {
        return switch (operation) {
            case ENCODE ->
                    encodeLoop(pooled.shape(), ContentSwap.between(pooled.pool(), pooled.twins()));
            case DECODE -> decodeLoop(pooled.shape(), ContentSwap::spoil);
            case ROUND_TRIP -> roundTripLoop();
            case ROUND_TRIP_UNUSED ->
                    Loops.own(UnusedRoundTripLoop.class, codec, pooled.pool());
            default -> throw unknown(operation);
        };
    }

    private Loop roundTripLoop() throws Exception {
        Audit<N, N> audit = new Audit<>(pooled.pool(),
                ContentSwap.between(pooled.pool(), pooled.twins()),
                value -> codec.decode(codec.encode(value)), lookAtNative(pooled.wantedTwins()),
                kept);
        return Loops.own(RoundTripLoop.class, codec, pooled.shape(), pooled.pool())
                .audited(audit.spoiling(ContentSwap::spoil));
    }

    @Override
    public boolean passing() {
        return kept;
    }

    @Override
    N encodable(N value) {
        return value;
    }

    @Override
    N value(N decoded) {
        return decoded;
    }
}
