package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;

/** A list of integers. */
final class MsgpackT3Codec implements NativeCodec<List<Integer>> {
    @Override
    public byte[] encode(List<Integer> value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        Packing.packIntegers(packer, value);
        return packer.toByteArray();
    }

    @Override
    public List<Integer> decode(byte[] bytes) throws IOException {
        return Packing.unpackIntegers(Packing.unpacker(bytes));
    }
}
