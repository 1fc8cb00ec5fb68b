package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import java.util.ArrayList;
import java.util.List;

/** A list of integers. */
final class ProtobufT3Codec implements MessageCodec<List<Integer>, codec.proto.T3> {
    @Override
    public codec.proto.T3 toMessage(List<Integer> value) {
        return codec.proto.T3.newBuilder().addAllV(value).build();
    }

    @Override
    public byte[] encode(codec.proto.T3 message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.T3 decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.T3.parseFrom(bytes);
    }

    @Override
    public List<Integer> fromMessage(codec.proto.T3 message) {
        return new ArrayList<>(message.getVList());
    }

    @Override
    public int fold(codec.proto.T3 message) {
        int length = message.getVCount();
        int sum = Fold.LENGTH * length;
        for (int i = 0; i < length; i++) {
            sum += Fold.weight(i) * message.getV(i);
        }
        return sum;
    }
}
