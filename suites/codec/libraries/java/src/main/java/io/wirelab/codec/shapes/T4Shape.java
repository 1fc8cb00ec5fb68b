package io.wirelab.codec.shapes;

import java.util.List;

/** {@code T4}: a list of strings. */
public final class T4Shape implements Shape<List<String>> {
    @Override
    public String name() {
        return "T4";
    }

    @Override
    public List<String> read(Object neutral) {
        return Neutral.list(neutral, Neutral::text);
    }

    @Override
    public Object neutral(List<String> value) {
        return value;
    }

    @Override
    public int fold(List<String> value) {
        return Fold.LENGTH * value.size() + Fold.strings(value);
    }
}
