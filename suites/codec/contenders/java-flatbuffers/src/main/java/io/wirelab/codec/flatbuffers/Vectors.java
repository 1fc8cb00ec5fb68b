package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.List;

/** Vectors that several shapes have; a builder fills them from the back. */
final class Vectors {
    private Vectors() {}

    static int integers(FlatBufferBuilder builder, List<Integer> values) {
        builder.startVector(Integer.BYTES, values.size(), Integer.BYTES);
        for (int i = values.size() - 1; i >= 0; i--) {
            builder.addInt(values.get(i));
        }
        return builder.endVector();
    }

    static int strings(FlatBufferBuilder builder, List<String> values) {
        int[] offsets = new int[values.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = builder.createString(values.get(i));
        }
        return builder.createVectorOfTables(offsets);
    }
}
