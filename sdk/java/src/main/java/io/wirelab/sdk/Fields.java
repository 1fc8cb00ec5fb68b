package io.wirelab.sdk;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A JSON object read with types; what does not fit is refused with the path of its key. */
public final class Fields {
    private final String path;
    private final Map<?, ?> members;

    private Fields(String path, Map<?, ?> members) {
        this.path = path;
        this.members = members;
    }

    /** The members of {@code value}, known in messages as {@code path} (empty for the root). */
    static Fields of(String path, Object value) {
        if (value instanceof Map<?, ?> members) {
            return new Fields(path, members);
        }
        throw new JsonException(path + ": expected an object, found " + JsonWriter.write(value));
    }

    /** The keys, in the order written. */
    public Set<String> keys() {
        return members.keySet().stream().map(String.class::cast)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Tells whether {@code key} is there, be it null. */
    public boolean has(String key) {
        return members.containsKey(key);
    }

    /** An integer of 64 bits. */
    public long integer(String key) {
        return as(key, Long.class, "an integer");
    }

    /** An integer of 64 bits, or {@code otherwise} where the key is missing. */
    public long integer(String key, long otherwise) {
        return has(key) ? integer(key) : otherwise;
    }

    /** An integer from {@code least} to {@code most}. */
    public int integerWithin(String key, int least, int most) {
        long value = integer(key);
        if (value < least || value > most) {
            throw new JsonException(path(key) + ": expected " + least + " to " + most
                    + ", found " + value);
        }
        return (int) value;
    }

    /** True or false. */
    public boolean flag(String key) {
        return as(key, Boolean.class, "true or false");
    }

    /** A text. */
    public String text(String key) {
        return as(key, String.class, "a string");
    }

    /** A text, or {@code otherwise} where the key is missing. */
    public String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    /** An object. */
    public Fields object(String key) {
        return of(path(key), required(key));
    }

    /** An object; an empty one where the key is missing. */
    public Fields objectOrEmpty(String key) {
        return has(key) ? object(key) : new Fields(path(key), Map.of());
    }

    /** A list of objects; an empty one where the key is missing. */
    public List<Fields> objects(String key) {
        if (!has(key)) {
            return List.of();
        }
        List<?> items = as(key, List.class, "a list of objects");
        return IntStream.range(0, items.size())
                .mapToObj(number -> of(path(key) + "." + number, items.get(number)))
                .toList();
    }

    /** A list of integers of 64 bits. */
    public long[] integers(String key) {
        List<?> items = as(key, List.class, "a list of integers");
        long[] values = new long[items.size()];
        for (int i = 0; i < values.length; i++) {
            if (!(items.get(i) instanceof Long value)) {
                throw new JsonException(path(key) + "." + i + ": expected an integer, found "
                        + JsonWriter.write(items.get(i)));
            }
            values[i] = value;
        }
        return values;
    }

    /** These members, and instead of them those of {@code others} where it has the same key. */
    public Fields with(Fields others) {
        Map<Object, Object> all = new LinkedHashMap<>(members);
        all.putAll(others.members);
        return new Fields(path, all);
    }

    private <T> T as(String key, Class<T> type, String expected) {
        Object value = required(key);
        if (!type.isInstance(value)) {
            throw new JsonException(path(key) + ": expected " + expected + ", found "
                    + JsonWriter.write(value));
        }
        return type.cast(value);
    }

    private Object required(String key) {
        if (!has(key)) {
            throw new JsonException(path(key) + ": missing");
        }
        return members.get(key);
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
