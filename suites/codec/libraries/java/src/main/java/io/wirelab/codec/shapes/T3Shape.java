package io.wirelab.codec.shapes;

import java.util.List;

/** {@code T3}: a list of i32. */
public final class T3Shape implements Shape<List<Integer>> {
    @Override
    public String name() {
        return "T3";
    }

    @Override
    public List<Integer> read(Object neutral) {
        return Neutral.list(neutral, Neutral::boxed);
    }

    @Override
    public Object neutral(List<Integer> value) {
        return value;
    }

    @Override
    public int fold(List<Integer> value) {
        return Fold.LENGTH * value.size() + Fold.integers(value);
    }
}
