package io.wirelab.codec.shapes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code T5}: a map from string to list of i32, in the order in which its entries came. */
public final class T5Shape implements Shape<LinkedHashMap<String, List<Integer>>> {
    @Override
    public String name() {
        return "T5";
    }

    @Override
    public LinkedHashMap<String, List<Integer>> read(Object neutral) {
        LinkedHashMap<String, List<Integer>> value = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : Neutral.members(neutral).entrySet()) {
            value.put(Neutral.text(entry.getKey()),
                    Neutral.list(entry.getValue(), Neutral::boxed));
        }
        return value;
    }

    @Override
    public Object neutral(LinkedHashMap<String, List<Integer>> value) {
        return value;
    }

    @Override
    public int fold(LinkedHashMap<String, List<Integer>> value) {
        int sum = Fold.LENGTH * value.size();
        for (Map.Entry<String, List<Integer>> entry : value.entrySet()) {
            sum += 3 * Fold.string(entry.getKey()) + 5 * Fold.integers(entry.getValue());
        }
        return sum;
    }
}
