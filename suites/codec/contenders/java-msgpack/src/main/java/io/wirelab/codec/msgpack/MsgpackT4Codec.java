package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;

/** A list of strings. */
final class MsgpackT4Codec implements NativeCodec<List<String>> {
    @Override
    public byte[] encode(List<String> value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        Packing.packStrings(packer, value);
        return packer.toByteArray();
    }

    @Override
    public List<String> decode(byte[] bytes) throws IOException {
        return Packing.unpackStrings(Packing.unpacker(bytes));
    }
}
