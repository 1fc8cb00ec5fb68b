package io.wirelab.codec.msgpack;

import io.wirelab.codec.NativeCodec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageUnpacker;

/** A map from string to list of integers. */
final class MsgpackT5Codec implements NativeCodec<LinkedHashMap<String, List<Integer>>> {
    @Override
    public byte[] encode(LinkedHashMap<String, List<Integer>> value) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(value.size());
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            packer.packString(entry.getKey());
            Packing.packIntegers(packer, entry.getValue());
        }
        return packer.toByteArray();
    }

    @Override
    public LinkedHashMap<String, List<Integer>> decode(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        LinkedHashMap<String, List<Integer>> value = new LinkedHashMap<>();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            value.put(unpacker.unpackString(), Packing.unpackIntegers(unpacker));
        }
        return value;
    }
}
