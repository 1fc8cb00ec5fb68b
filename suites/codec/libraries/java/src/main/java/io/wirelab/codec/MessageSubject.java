package io.wirelab.codec;

import io.wirelab.codec.loops.FromMessageLoop;
import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.loops.MessageRoundTripLoop;
import io.wirelab.codec.loops.ToMessageLoop;
import io.wirelab.codec.loops.UnusedMessageRoundTripLoop;
import io.wirelab.sdk.Loop;
import java.util.ArrayList;
import java.util.List;

/** A step of a codec with messages of its own. */
final class MessageSubject<N, M> extends CodecSubject<N, M, M, byte[]> {
    private final MessageCodec<N, M> codec;

    MessageSubject(PooledShape<N> pooled, MessageCodec<N, M> codec) {
        super(pooled, codec);
        this.codec = codec;
    }

    @Override
    public List<String> operations() {
        return List.of(TO_MESSAGE, ENCODE, DECODE, FROM_MESSAGE, ROUND_TRIP, ROUND_TRIP_UNUSED);
    }

    @Override
    public Loop loop(String operation) throws Exception {
        return switch (operation) {
            case TO_MESSAGE -> toMessageLoop();
            case ENCODE -> encodeLoop(codec, Audit.Change.NONE);
            case DECODE -> decodeLoop(codec, messages -> {});
            case FROM_MESSAGE -> fromMessageLoop();
            case ROUND_TRIP -> roundTripLoop();
            case ROUND_TRIP_UNUSED ->
                    Loops.own(UnusedMessageRoundTripLoop.class, codec, pooled.pool());
            default -> throw unknown(operation);
        };
    }

    private Loop toMessageLoop() throws Exception {
        // A message may refer to the value that it was made of: it is looked at at once.
        Audit<N, M> audit = new Audit<>(pooled.pool(),
                ContentSwap.between(pooled.pool(), pooled.twins()),
                codec::toMessage, look(codec, pooled.wantedTwins()), true);
        return Loops.own(ToMessageLoop.class, codec, pooled.pool()).audited(audit);
    }

    private Loop fromMessageLoop() throws Exception {
        ArrayList<M> messages = decoded();
        Audit<M, N> audit = new Audit<>(messages, Audit.Change.NONE, codec::fromMessage,
                lookAtNative(pooled.wanted()), false);
        return Loops.own(FromMessageLoop.class, codec, pooled.shape(), messages).audited(audit);
    }

    private Loop roundTripLoop() throws Exception {
        Audit<N, N> audit = new Audit<>(pooled.pool(),
                ContentSwap.between(pooled.pool(), pooled.twins()),
                value -> codec.fromMessage(codec.decode(codec.encode(codec.toMessage(value)))),
                lookAtNative(pooled.wantedTwins()), false);
        return Loops.own(MessageRoundTripLoop.class, codec, pooled.shape(), pooled.pool())
                .audited(audit.spoiling(ContentSwap::spoil));
    }

    @Override
    M encodable(N value) throws Exception {
        return codec.toMessage(value);
    }

    @Override
    N value(M decoded) throws Exception {
        return codec.fromMessage(decoded);
    }
}
