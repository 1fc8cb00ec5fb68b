package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import io.wirelab.codec.shapes.T1;
import java.nio.ByteBuffer;

/** Ten primitives. */
final class FlatbuffersT1Codec implements ViewCodec<T1, codec.T1> {
    @Override
    public byte[] encode(T1 value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        builder.finish(codec.T1.createT1(builder, value.c, value.uc, value.i16, value.u16,
                value.i32, value.u32, value.i64, value.u64, value.f, value.d));
        return builder.sizedByteArray();
    }

    @Override
    public codec.T1 decode(byte[] bytes) {
        return codec.T1.getRootAsT1(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.T1 view) {
        return view.c()
                + 3 * view.uc()
                + 5 * view.i16()
                + 7 * view.u16()
                + 9 * view.i32()
                + 11 * (int) view.u32()
                + 13 * (int) view.i64()
                + 15 * (int) view.u64()
                + 17 * Fold.floating(view.f())
                + 19 * Fold.floating(view.d());
    }

    @Override
    public T1 copy(codec.T1 view) {
        T1 value = new T1();
        value.c = view.c();
        value.uc = (short) view.uc();
        value.i16 = view.i16();
        value.u16 = view.u16();
        value.i32 = view.i32();
        value.u32 = view.u32();
        value.i64 = view.i64();
        value.u64 = view.u64();
        value.f = view.f();
        value.d = view.d();
        return value;
    }
}
