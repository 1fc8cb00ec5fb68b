package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.T1;

/** Ten primitives. */
final class CgdT1Codec implements NativeCodec<T1> {
    private static final int SIZE = 42;

    @Override
    public byte[] encode(T1 value) {
        return new CgdWriter(SIZE)
                .append(value.c)
                .append((byte) value.uc)
                .append(value.i16)
                .append((short) value.u16)
                .append(value.i32)
                .append((int) value.u32)
                .append(value.i64)
                .append(value.u64)
                .append(value.f)
                .append(value.d)
                .toBytes();
    }

    @Override
    public T1 decode(byte[] bytes) {
        CgdReader reader = new CgdReader(bytes);
        T1 value = new T1();
        value.c = reader.extractByte();
        value.uc = reader.extractUnsignedByte();
        value.i16 = reader.extractShort();
        value.u16 = reader.extractUnsignedShort();
        value.i32 = reader.extractInt();
        value.u32 = reader.extractUnsignedInt();
        value.i64 = reader.extractLong();
        value.u64 = reader.extractLong();
        value.f = reader.extractFloat();
        value.d = reader.extractDouble();
        return value;
    }
}
