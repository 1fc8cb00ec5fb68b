package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import java.util.List;

/** A list of strings. */
final class CgdT4Codec implements NativeCodec<List<String>> {
    @Override
    public byte[] encode(List<String> value) {
        return new CgdWriter(CgdSize.ofStrings(value)).appendStrings(value).toBytes();
    }

    @Override
    public List<String> decode(byte[] bytes) {
        return new CgdReader(bytes).extractStrings();
    }
}
