package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.T2;
import java.io.IOException;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageUnpacker;

/** Eight strings. */
final class MsgpackT2Codec implements NativeCodec<T2> {
    private static final int FIELDS = 8;

    @Override
    public byte[] encode(T2 value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(FIELDS);
        packer.packString("s1").packString(value.s1);
        packer.packString("s2").packString(value.s2);
        packer.packString("s3").packString(value.s3);
        packer.packString("s4").packString(value.s4);
        packer.packString("s5").packString(value.s5);
        packer.packString("s6").packString(value.s6);
        packer.packString("s7").packString(value.s7);
        packer.packString("s8").packString(value.s8);
        return packer.toByteArray();
    }

    @Override
    public T2 decode(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        T2 value = new T2();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            switch (unpacker.unpackString()) {
                case "s1" -> value.s1 = unpacker.unpackString();
                case "s2" -> value.s2 = unpacker.unpackString();
                case "s3" -> value.s3 = unpacker.unpackString();
                case "s4" -> value.s4 = unpacker.unpackString();
                case "s5" -> value.s5 = unpacker.unpackString();
                case "s6" -> value.s6 = unpacker.unpackString();
                case "s7" -> value.s7 = unpacker.unpackString();
                case "s8" -> value.s8 = unpacker.unpackString();
                default -> unpacker.skipValue();
            }
        }
        return value;
    }
}
