package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdSize;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.NativeCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A map from string to list of integers. */
final class CgdT5Codec implements NativeCodec<LinkedHashMap<String, List<Integer>>> {
    private static final int LEAST_ENTRY = CgdSize.EMPTY_STRING + CgdSize.COUNT;

    /**
     * Capacity that a map with the usual load factor of 3/4 needs to hold entries without growing.
     */
    private static int capacity(int entries) {
        return entries + entries / 3 + 1;
    }

    @Override
    public byte[] encode(LinkedHashMap<String, List<Integer>> value) {
        CgdWriter writer = new CgdWriter(size(value)).append(value.size());
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            writer.append(entry.getKey()).appendIntegers(entry.getValue());
        }
        return writer.toBytes();
    }

    private static int size(LinkedHashMap<String, List<Integer>> value) {
        int size = CgdSize.COUNT;
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            size += CgdSize.of(entry.getKey()) + CgdSize.ofIntegers(entry.getValue());
        }
        return size;
    }

    @Override
    public LinkedHashMap<String, List<Integer>> decode(byte[] bytes) {
        CgdReader reader = new CgdReader(bytes);
        int count = reader.extractCount(LEAST_ENTRY);
        LinkedHashMap<String, List<Integer>> value = new LinkedHashMap<>(capacity(count));
        for (int i = 0; i < count; i++) {
            value.put(reader.extractString(), reader.extractIntegers());
        }
        return value;
    }
}
