package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A list of integers. */
final class FlatbuffersT3Codec implements ViewCodec<List<Integer>, codec.T3> {
    @Override
    public byte[] encode(List<Integer> value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        builder.finish(codec.T3.createT3(builder, Vectors.integers(builder, value)));
        return builder.sizedByteArray();
    }

    @Override
    public codec.T3 decode(byte[] bytes) {
        return codec.T3.getRootAsT3(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.T3 view) {
        int length = view.vLength();
        int sum = Fold.LENGTH * length;
        for (int i = 0; i < length; i++) {
            sum += Fold.weight(i) * view.v(i);
        }
        return sum;
    }

    @Override
    public List<Integer> copy(codec.T3 view) {
        List<Integer> value = new ArrayList<>();
        for (int i = 0; i < view.vLength(); i++) {
            value.add(view.v(i));
        }
        return value;
    }
}
