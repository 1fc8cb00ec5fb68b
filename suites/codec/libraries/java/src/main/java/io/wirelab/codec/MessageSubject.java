package io.wirelab.codec;

import io.wirelab.codec.loops.FromMessageLoop;
import io.wirelab.codec.loops.Loops;
import io.wirelab.codec.loops.MessageRoundTripLoop;
import io.wirelab.codec.loops.ToMessageLoop;
import io.wirelab.codec.loops.UnusedMessageRoundTripLoop;
import io.wirelab.sdk.Loop;
import java.util.List;

/** A step of a codec with messages of its own. */
final class MessageSubject<N, M> extends CodecSubject<N, M, M, byte[]> {
    private final MessageCodec<N, M> codec;

    MessageSubject(Step<N> step, MessageCodec<N, M> codec) {
        super(step, codec);
        this.codec = codec;
    }

    @Override
    public List<String> operations() {
        return List.of(TO_MESSAGE, ENCODE, DECODE, FROM_MESSAGE, ROUND_TRIP, ROUND_TRIP_UNUSED);
    }

    @Override
    public Loop loop(String operation) throws Exception {
        return switch (operation) {
            case TO_MESSAGE -> Loops.own(ToMessageLoop.class, codec, step.pool());
            case ENCODE -> encodeLoop();
            case DECODE -> decodeLoop(codec);
            case FROM_MESSAGE ->
                    Loops.own(FromMessageLoop.class, codec, step.shape(), decoded());
            case ROUND_TRIP ->
                    Loops.own(MessageRoundTripLoop.class, codec, step.shape(), step.pool());
            case ROUND_TRIP_UNUSED ->
                    Loops.own(UnusedMessageRoundTripLoop.class, codec, step.pool());
            default -> throw unknown(operation);
        };
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
