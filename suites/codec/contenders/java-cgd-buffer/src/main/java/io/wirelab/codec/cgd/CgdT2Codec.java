package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import io.wirelab.codec.shapes.T2;

/** Eight strings. */
final class CgdT2Codec implements NativeCodec<T2> {
    @Override
    public byte[] encode(T2 value) {
        return new CgdWriter(size(value))
                .append(value.s1)
                .append(value.s2)
                .append(value.s3)
                .append(value.s4)
                .append(value.s5)
                .append(value.s6)
                .append(value.s7)
                .append(value.s8)
                .toBytes();
    }

    private static int size(T2 value) {
        return CgdSize.of(value.s1) + CgdSize.of(value.s2)
                + CgdSize.of(value.s3) + CgdSize.of(value.s4)
                + CgdSize.of(value.s5) + CgdSize.of(value.s6)
                + CgdSize.of(value.s7) + CgdSize.of(value.s8);
    }

    @Override
    public T2 decode(byte[] bytes) {
        CgdReader reader = new CgdReader(bytes);
        T2 value = new T2();
        value.s1 = reader.extractString();
        value.s2 = reader.extractString();
        value.s3 = reader.extractString();
        value.s4 = reader.extractString();
        value.s5 = reader.extractString();
        value.s6 = reader.extractString();
        value.s7 = reader.extractString();
        value.s8 = reader.extractString();
        return value;
    }
}
