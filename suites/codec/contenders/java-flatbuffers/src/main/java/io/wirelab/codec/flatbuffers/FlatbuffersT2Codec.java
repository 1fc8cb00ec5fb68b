package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.T2;
import java.nio.ByteBuffer;

/** Eight strings. */
final class FlatbuffersT2Codec implements ViewCodec<T2, codec.T2> {
    @Override
    public byte[] encode(T2 value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        int s1 = builder.createString(value.s1);
        int s2 = builder.createString(value.s2);
        int s3 = builder.createString(value.s3);
        int s4 = builder.createString(value.s4);
        int s5 = builder.createString(value.s5);
        int s6 = builder.createString(value.s6);
        int s7 = builder.createString(value.s7);
        int s8 = builder.createString(value.s8);
        builder.finish(codec.T2.createT2(builder, s1, s2, s3, s4, s5, s6, s7, s8));
        return builder.sizedByteArray();
    }

    @Override
    public codec.T2 decode(byte[] bytes) {
        return codec.T2.getRootAsT2(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.T2 view) {
        return Fold.string(view.s1())
                + 3 * Fold.string(view.s2())
                + 5 * Fold.string(view.s3())
                + 7 * Fold.string(view.s4())
                + 9 * Fold.string(view.s5())
                + 11 * Fold.string(view.s6())
                + 13 * Fold.string(view.s7())
                + 15 * Fold.string(view.s8());
    }

    @Override
    public T2 copy(codec.T2 view) {
        T2 value = new T2();
        value.s1 = view.s1();
        value.s2 = view.s2();
        value.s3 = view.s3();
        value.s4 = view.s4();
        value.s5 = view.s5();
        value.s6 = view.s6();
        value.s7 = view.s7();
        value.s8 = view.s8();
        return value;
    }
}
