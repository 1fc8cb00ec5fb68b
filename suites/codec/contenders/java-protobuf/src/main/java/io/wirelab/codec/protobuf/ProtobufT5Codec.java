package io.wirelab.codec.protobuf;

import codec.proto.IntList;
import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A map from string to list of integers. */
final class ProtobufT5Codec
        implements MessageCodec<LinkedHashMap<String, List<Integer>>, codec.proto.T5> {
    @Override
    public codec.proto.T5 toMessage(LinkedHashMap<String, List<Integer>> value) {
        codec.proto.T5.Builder message = codec.proto.T5.newBuilder();
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            message.putM(entry.getKey(), IntList.newBuilder().addAllV(entry.getValue()).build());
        }
        return message.build();
    }

    @Override
    public byte[] encode(codec.proto.T5 message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.T5 decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.T5.parseFrom(bytes);
    }

    @Override
    public LinkedHashMap<String, List<Integer>> fromMessage(codec.proto.T5 message) {
        LinkedHashMap<String, List<Integer>> value = new LinkedHashMap<>();
        for (Map.Entry<String, IntList> entry : message.getMMap().entrySet()) {
            value.put(entry.getKey(), new ArrayList<>(entry.getValue().getVList()));
        }
        return value;
    }

    @Override
    public int fold(codec.proto.T5 message) {
        int sum = Fold.LENGTH * message.getMCount();
        for (Map.Entry<String, IntList> entry : message.getMMap().entrySet()) {
            sum += 3 * Fold.string(entry.getKey()) + 5 * integers(entry.getValue());
        }
        return sum;
    }

    private static int integers(IntList list) {
        int sum = 0;
        for (int i = 0; i < list.getVCount(); i++) {
            sum += Fold.weight(i) * list.getV(i);
        }
        return sum;
    }
}
