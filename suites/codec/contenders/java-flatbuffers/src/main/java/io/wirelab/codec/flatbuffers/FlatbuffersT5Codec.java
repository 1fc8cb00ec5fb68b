package io.wirelab.codec.flatbuffers;

import codec.Entry;
import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.ViewCodec;
import io.wirelab.codec.shapes.Fold;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A map from string to list of integers, which is a vector of entries. */
final class FlatbuffersT5Codec
        implements ViewCodec<LinkedHashMap<String, List<Integer>>, codec.T5> {
    @Override
    public byte[] encode(LinkedHashMap<String, List<Integer>> value) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        int[] entries = new int[value.size()];
        int number = 0;
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            int key = builder.createString(entry.getKey());
            int integers = Vectors.integers(builder, entry.getValue());
            entries[number++] = Entry.createEntry(builder, key, integers);
        }
        builder.finish(codec.T5.createT5(builder, codec.T5.createMVector(builder, entries)));
        return builder.sizedByteArray();
    }

    @Override
    public codec.T5 decode(byte[] bytes) {
        return codec.T5.getRootAsT5(ByteBuffer.wrap(bytes));
    }

    @Override
    public int fold(codec.T5 view) {
        int length = view.mLength();
        int sum = Fold.LENGTH * length;
        Entry entry = new Entry();
        for (int i = 0; i < length; i++) {
            view.m(entry, i);
            sum += 3 * Fold.string(entry.key()) + 5 * integers(entry);
        }
        return sum;
    }

    private static int integers(Entry entry) {
        int sum = 0;
        int length = entry.vLength();
        for (int i = 0; i < length; i++) {
            sum += Fold.weight(i) * entry.v(i);
        }
        return sum;
    }

    @Override
    public LinkedHashMap<String, List<Integer>> copy(codec.T5 view) {
        LinkedHashMap<String, List<Integer>> value = new LinkedHashMap<>();
        for (int i = 0; i < view.mLength(); i++) {
            Entry entry = view.m(i);
            List<Integer> integers = new ArrayList<>();
            for (int j = 0; j < entry.vLength(); j++) {
                integers.add(entry.v(j));
            }
            value.put(entry.key(), integers);
        }
        return value;
    }
}
