package io.wirelab.codec.cgd;

import io.wirelab.cgd.CgdReader;
import io.wirelab.cgd.CgdWriter;
import io.wirelab.codec.evolution.Readings;
import io.wirelab.codec.evolution.VersionCodec;
import java.lang.reflect.Field;

/**
 * One version of the record: its fields one after the other, in the order of the class. A level is
 * the int that it is in C++ and C#; a text that may be left out is null.
 */
record CgdVersion(Class<?> type) implements VersionCodec {
    private static final int ROOM = 128;

    @Override
    public byte[] encode(Object reading) throws IllegalAccessException {
        CgdWriter writer = new CgdWriter(ROOM);
        for (Field field : type.getFields()) {
            append(writer, field, field.get(reading));
        }
        return writer.toBytes();
    }

    @Override
    public Object decode(byte[] bytes) throws ReflectiveOperationException {
        CgdReader reader = new CgdReader(bytes);
        Object reading = type.getConstructor().newInstance();
        for (Field field : type.getFields()) {
            field.set(reading, extract(reader, field));
        }
        return reading;
    }

    private static void append(CgdWriter writer, Field field, Object value) {
        if (value instanceof Enum<?> level) {
            writer.append(level.ordinal());
        } else if (value instanceof Integer number) {
            writer.append((int) number);
        } else if (value instanceof Long number) {
            writer.append((long) number);
        } else if (Readings.optional(field)) {
            writer.appendNullable((String) value);
        } else {
            writer.append((String) value);
        }
    }

    private static Object extract(CgdReader reader, Field field) {
        Class<?> of = field.getType();
        if (of.isEnum()) {
            int number = reader.extractInt();
            Object[] levels = of.getEnumConstants();
            if (number < 0 || number >= levels.length) {
                throw new IllegalArgumentException("no level has the number " + number);
            }
            return levels[number];
        }
        if (of == int.class) {
            return reader.extractInt();
        }
        if (of == long.class) {
            return reader.extractLong();
        }
        return Readings.optional(field) ? reader.extractNullable() : reader.extractString();
    }
}
