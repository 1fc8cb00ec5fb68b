package io.wirelab.codec.evolution;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The record of the scenario {@code evolution} and what each change makes of it, as classes. */
public final class Readings {
    private static final Set<String> OPTIONAL = Set.of("note", "unit");

    private Readings() {}

    /** Urgency of a reading. */
    public enum Level { NONE, LOW, HIGH }

    /** The same with a value more. */
    public enum WiderLevel { NONE, LOW, HIGH, CRITICAL }

    /** A reading; its note may be left out. */
    public static final class Base {
        public int sensor;
        public String name;
        public String note;
        public int count;
        public Level level;
    }

    /** With one more that may be left out. */
    public static final class Added {
        public int sensor;
        public String name;
        public String note;
        public int count;
        public Level level;
        public String unit;
    }

    /** Without the note. */
    public static final class Removed {
        public int sensor;
        public String name;
        public int count;
        public Level level;
    }

    /** In another order. */
    public static final class Reordered {
        public int count;
        public String name;
        public String note;
        public int sensor;
        public Level level;
    }

    /** With a title in the place of the name. */
    public static final class Renamed {
        public int sensor;
        public String title;
        public String note;
        public int count;
        public Level level;
    }

    /** With a count of 64 bits. */
    public static final class Widened {
        public int sensor;
        public String name;
        public String note;
        public long count;
        public Level level;
    }

    /** With a count in words. */
    public static final class Retyped {
        public int sensor;
        public String name;
        public String note;
        public String count;
        public Level level;
    }

    /** With the wider enumeration. */
    public static final class Enumeration {
        public int sensor;
        public String name;
        public String note;
        public int count;
        public WiderLevel level;
    }

    /** With one more that must be there. */
    public static final class Required {
        public int sensor;
        public String name;
        public String note;
        public int count;
        public Level level;
        public String zone;
    }

    /** The class of a version: {@code base}, or the name of a change. */
    public static Class<?> version(String name) {
        return switch (name) {
            case "base" -> Base.class;
            case "added" -> Added.class;
            case "removed" -> Removed.class;
            case "reordered" -> Reordered.class;
            case "renamed" -> Renamed.class;
            case "widened" -> Widened.class;
            case "retyped" -> Retyped.class;
            case "enumeration" -> Enumeration.class;
            case "required" -> Required.class;
            default -> throw new IllegalArgumentException("no version is called " + name);
        };
    }

    /** The enumeration that a version has. */
    public static Class<?> level(Class<?> version) throws NoSuchFieldException {
        return version.getField("level").getType();
    }

    /** Tells whether a field may be left out. */
    public static boolean optional(Field field) {
        return OPTIONAL.contains(field.getName());
    }

    /** An object of a version with the fields of {@code neutral}. */
    static Object of(Class<?> version, Map<?, ?> neutral) throws ReflectiveOperationException {
        Object made = version.getConstructor().newInstance();
        for (Map.Entry<?, ?> one : neutral.entrySet()) {
            var field = version.getField((String) one.getKey());
            Object value = one.getValue();
            if (field.getType().isEnum()) {
                String constant = ((String) value).toUpperCase(Locale.ROOT);
                value = field.getType().getMethod("valueOf", String.class).invoke(null, constant);
            } else if (field.getType() == int.class) {
                value = Math.toIntExact((Long) value);
            }
            field.set(made, value);
        }
        return made;
    }

    /** All fields of an object, as a JSON writer takes them. */
    static Map<String, Object> neutral(Object reading) throws ReflectiveOperationException {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (var field : reading.getClass().getFields()) {
            Object value = field.get(reading);
            boolean level = value instanceof Enum<?>;
            fields.put(field.getName(), level ? value.toString().toLowerCase(Locale.ROOT) : value);
        }
        return fields;
    }
}
