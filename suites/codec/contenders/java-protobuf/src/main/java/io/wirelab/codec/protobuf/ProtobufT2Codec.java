package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.T2;

/** Eight strings. */
final class ProtobufT2Codec implements MessageCodec<T2, codec.proto.T2> {
    @Override
    public codec.proto.T2 toMessage(T2 value) {
        return codec.proto.T2.newBuilder()
                .setS1(value.s1)
                .setS2(value.s2)
                .setS3(value.s3)
                .setS4(value.s4)
                .setS5(value.s5)
                .setS6(value.s6)
                .setS7(value.s7)
                .setS8(value.s8)
                .build();
    }

    @Override
    public byte[] encode(codec.proto.T2 message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.T2 decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.T2.parseFrom(bytes);
    }

    @Override
    public T2 fromMessage(codec.proto.T2 message) {
        T2 value = new T2();
        value.s1 = message.getS1();
        value.s2 = message.getS2();
        value.s3 = message.getS3();
        value.s4 = message.getS4();
        value.s5 = message.getS5();
        value.s6 = message.getS6();
        value.s7 = message.getS7();
        value.s8 = message.getS8();
        return value;
    }

    @Override
    public int fold(codec.proto.T2 message) {
        return Fold.string(message.getS1())
                + 3 * Fold.string(message.getS2())
                + 5 * Fold.string(message.getS3())
                + 7 * Fold.string(message.getS4())
                + 9 * Fold.string(message.getS5())
                + 11 * Fold.string(message.getS6())
                + 13 * Fold.string(message.getS7())
                + 15 * Fold.string(message.getS8());
    }
}
