package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A list of strings. */
final class FlatbuffersT4Codec implements ViewCodec<List<String>, codec.T4> {
    @Override
    public byte[] encode(List<String> value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        builder.finish(codec.T4.createT4(builder, Vectors.strings(builder, value)));
        return builder.sizedByteArray();
    }

    @Override
    public codec.T4 decode(byte[] bytes) {
        return codec.T4.getRootAsT4(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.T4 view) {
        int length = view.vLength();
        int sum = Fold.LENGTH * length;
        for (int i = 0; i < length; i++) {
            sum += Fold.weight(i) * Fold.string(view.v(i));
        }
        return sum;
    }

    @Override
    public List<String> copy(codec.T4 view) {
        List<String> value = new ArrayList<>();
        for (int i = 0; i < view.vLength(); i++) {
            value.add(view.v(i));
        }
        return value;
    }
}
