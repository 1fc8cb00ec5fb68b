package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.T1;
import java.io.IOException;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageUnpacker;

/** Ten primitives. */
final class MsgpackT1Codec implements NativeCodec<T1> {
    private static final int FIELDS = 10;

    @Override
    public byte[] encode(T1 value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(FIELDS);
        packer.packString("c").packByte(value.c);
        packer.packString("uc").packShort(value.uc);
        packer.packString("i16").packShort(value.i16);
        packer.packString("u16").packInt(value.u16);
        packer.packString("i32").packInt(value.i32);
        packer.packString("u32").packLong(value.u32);
        packer.packString("i64").packLong(value.i64);
        packer.packString("u64").packLong(value.u64);
        packer.packString("f").packFloat(value.f);
        packer.packString("d").packDouble(value.d);
        return packer.toByteArray();
    }

    @Override
    public T1 decode(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        T1 value = new T1();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "c" -> value.c = unpacker.unpackByte();
                case "uc" -> value.uc = unpacker.unpackShort();
                case "i16" -> value.i16 = unpacker.unpackShort();
                case "u16" -> value.u16 = unpacker.unpackInt();
                case "i32" -> value.i32 = unpacker.unpackInt();
                case "u32" -> value.u32 = unpacker.unpackLong();
                case "i64" -> value.i64 = unpacker.unpackLong();
                case "u64" -> value.u64 = unpacker.unpackLong();
                case "f" -> value.f = (float) Packing.unpackNumber(unpacker);
                case "d" -> value.d = Packing.unpackNumber(unpacker);
                default -> unpacker.skipValue();
            }
        }
        return value;
    }
}
