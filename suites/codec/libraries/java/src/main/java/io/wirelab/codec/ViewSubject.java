package io.wirelab.codec;

import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.loops.RoundTripLoop;
import io.wirelab.codec.loops.UnusedRoundTripLoop;
import io.wirelab.sdk.Loop;
import java.util.List;

/** A step of a codec whose messages are views: a round trip ends with the fold of the view. */
final class ViewSubject<N, V> extends CodecSubject<N, N, V, byte[]> {
    private final ViewCodec<N, V> codec;

    ViewSubject(PooledShape<N> pooled, ViewCodec<N, V> codec) {
        super(pooled, codec);
        this.codec = codec;
    }

    @Override
    public List<String> operations() {
        return List.of(ENCODE, DECODE, ROUND_TRIP, ROUND_TRIP_UNUSED);
    }

    @Override
    public Loop loop(String operation) throws Exception {
        return switch (operation) {
            case ENCODE -> encodeLoop(codec, ContentSwap.between(pooled.pool(), pooled.twins()));
            case DECODE -> decodeLoop(codec, views -> {});
            case ROUND_TRIP -> roundTripLoop();
            case ROUND_TRIP_UNUSED -> Loops.own(UnusedRoundTripLoop.class, codec, pooled.pool());
            default -> throw unknown(operation);
        };
    }

    private Loop roundTripLoop() throws Exception {
        Audit<N, V> audit = new Audit<>(pooled.pool(),
                ContentSwap.between(pooled.pool(), pooled.twins()),
                value -> codec.decode(codec.encode(value)), look(codec, pooled.wantedTwins()),
                passing());
        return Loops.own(RoundTripLoop.class, codec, codec, pooled.pool()).audited(audit);
    }

    @Override
    public boolean passing() {
        return true;
    }

    @Override
    N encodable(N value) {
        return value;
    }

    @Override
    N value(V decoded) throws Exception {
        return codec.copy(decoded);
    }
}
