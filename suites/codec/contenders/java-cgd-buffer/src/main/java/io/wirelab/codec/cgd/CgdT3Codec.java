package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import java.util.List;

/** A list of integers. */
final class CgdT3Codec implements NativeCodec<List<Integer>> {
    @Override
    public byte[] encode(List<Integer> value) {
        return new CgdWriter(CgdSize.ofIntegers(value)).appendIntegers(value).toBytes();
    }

    @Override
    public List<Integer> decode(byte[] bytes) {
        return new CgdReader(bytes).extractIntegers();
    }
}
