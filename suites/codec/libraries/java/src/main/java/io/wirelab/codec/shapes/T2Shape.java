package io.wirelab.codec.shapes;

import java.util.LinkedHashMap;
import java.util.Map;

/** {@code T2}: eight strings. */
public final class T2Shape implements Shape<T2> {
    @Override
    public String name() {
        return "T2";
    }

    @Override
    public T2 read(Object neutral) {
        Map<?, ?> members = Neutral.members(neutral);
        T2 value = new T2();
        value.s1 = Neutral.text(members.get("s1"));
        value.s2 = Neutral.text(members.get("s2"));
        value.s3 = Neutral.text(members.get("s3"));
        value.s4 = Neutral.text(members.get("s4"));
        value.s5 = Neutral.text(members.get("s5"));
        value.s6 = Neutral.text(members.get("s6"));
        value.s7 = Neutral.text(members.get("s7"));
        value.s8 = Neutral.text(members.get("s8"));
        return value;
    }

    @Override
    public Object neutral(T2 value) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("s1", value.s1);
        members.put("s2", value.s2);
        members.put("s3", value.s3);
        members.put("s4", value.s4);
        members.put("s5", value.s5);
        members.put("s6", value.s6);
        members.put("s7", value.s7);
        members.put("s8", value.s8);
        return members;
    }

    @Override
    public int fold(T2 value) {
        return Fold.string(value.s1)
                + 3 * Fold.string(value.s2)
                + 5 * Fold.string(value.s3)
                + 7 * Fold.string(value.s4)
                + 9 * Fold.string(value.s5)
                + 11 * Fold.string(value.s6)
                + 13 * Fold.string(value.s7)
                + 15 * Fold.string(value.s8);
    }
}
