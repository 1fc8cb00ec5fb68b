package io.wirelab.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import io.wirelab.codec.MessageCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.T1;

/** Ten primitives. */
final class ProtobufT1Codec implements MessageCodec<T1, codec.proto.T1> {
    @Override
    public codec.proto.T1 toMessage(T1 value) {
        return codec.proto.T1.newBuilder()
                .setC(value.c)
                .setUc(value.uc)
                .setI16(value.i16)
                .setU16(value.u16)
                .setI32(value.i32)
                .setU32((int) value.u32)
                .setI64(value.i64)
                .setU64(value.u64)
                .setF(value.f)
                .setD(value.d)
                .build();
    }

    @Override
    public byte[] encode(codec.proto.T1 message) {
        return message.toByteArray();
    }

    @Override
    public codec.proto.T1 decode(byte[] bytes) throws InvalidProtocolBufferException {
        return codec.proto.T1.parseFrom(bytes);
    }

    @Override
    public T1 fromMessage(codec.proto.T1 message) {
        T1 value = new T1();
        value.c = (byte) message.getC();
        value.uc = (short) message.getUc();
        value.i16 = (short) message.getI16();
        value.u16 = message.getU16();
        value.i32 = message.getI32();
        value.u32 = Integer.toUnsignedLong(message.getU32());
        value.i64 = message.getI64();
        value.u64 = message.getU64();
        value.f = message.getF();
        value.d = message.getD();
        return value;
    }

    @Override
    public int fold(codec.proto.T1 message) {
        return message.getC()
                + 3 * message.getUc()
                + 5 * message.getI16()
                + 7 * message.getU16()
                + 9 * message.getI32()
                + 11 * message.getU32()
                + 13 * (int) message.getI64()
                + 15 * (int) message.getU64()
                + 17 * Fold.floating(message.getF())
                + 19 * Fold.floating(message.getD());
    }
}
