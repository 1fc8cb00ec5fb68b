package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import java.util.ArrayList;
import java.util.List;

/** A list of strings. */
final class ProtobufT4Codec implements MessageCodec<List<String>, codec.proto.T4> {
    @Override
    public codec.proto.T4 toMessage(List<String> value) {
        return codec.proto.T4.newBuilder().addAllV(value).build();
    }

    @Override
    public byte[] encode(codec.proto.T4 message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.T4 decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.T4.parseFrom(bytes);
    }

    @Override
    public List<String> fromMessage(codec.proto.T4 message) {
        return new ArrayList<>(message.getVList());
    }

    @Override
    public int fold(codec.proto.T4 message) {
        int length = message.getVCount();
        int sum = Fold.LENGTH * length;
        for (int i = 0; i < length; i++) {
            sum += Fold.weight(i) * Fold.string(message.getV(i));
        }
        return sum;
    }
}
