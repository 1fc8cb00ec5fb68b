package io.wirelab.codec.shapes;

import java.util.LinkedHashMap;
import java.util.Map;

/** {@code T1}: ten primitives. */
public final class T1Shape implements Shape<T1> {
    @Override
    public String name() {
        return "T1";
    }

    @Override
    public T1 read(Object neutral) {
        Map<?, ?> members = Neutral.members(neutral);
        T1 value = new T1();
        value.c = (byte) Neutral.integer(members.get("c"));
        value.uc = (short) Neutral.integer(members.get("uc"));
        value.i16 = (short) Neutral.integer(members.get("i16"));
        value.u16 = (int) Neutral.integer(members.get("u16"));
        value.i32 = (int) Neutral.integer(members.get("i32"));
        value.u32 = Neutral.integer(members.get("u32"));
        value.i64 = Neutral.integer(members.get("i64"));
        value.u64 = Neutral.integer(members.get("u64"));
        value.f = (float) Neutral.number(members.get("f"));
        value.d = Neutral.number(members.get("d"));
        return value;
    }

    @Override
    public Object neutral(T1 value) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("c", value.c);
        members.put("uc", value.uc);
        members.put("i16", value.i16);
        members.put("u16", value.u16);
        members.put("i32", value.i32);
        members.put("u32", value.u32);
        members.put("i64", value.i64);
        members.put("u64", Neutral.unsigned(value.u64));
        members.put("f", Neutral.floating(value.f));
        members.put("d", Neutral.floating(value.d));
        return members;
    }

    @Override
    public int fold(T1 value) {
        return value.c
                + 3 * value.uc
                + 5 * value.i16
                + 7 * value.u16
                + 9 * value.i32
                + 11 * (int) value.u32
                + 13 * (int) value.i64
                + 15 * (int) value.u64
                + 17 * Fold.floating(value.f)
                + 19 * Fold.floating(value.d);
    }
}
