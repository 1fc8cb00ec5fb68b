package io.wirelab.codec;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values and encodings that swap what they hold, while each stays the object that it is. */
final class ContentSwap {
    private static final byte OVERWRITTEN = (byte) 0xAA;

    private ContentSwap() {}

    /** Change that has each value swap with its twin. */
    static Audit.Change between(List<?> values, List<?> twins) {
        return () -> {
            for (int i = 0; i < values.size(); i++) {
                swap(values.get(i), twins.get(i));
            }
        };
    }

    /**
     * The same of encodings, whose bytes are in {@code contents}. Those of one length are patched;
     * others change their places.
     */
    static <B> Audit.Change between(List<B> encodings, List<byte[]> contents, List<B> others,
            List<byte[]> otherContents) {
        return () -> {
            for (int i = 0; i < encodings.size(); i++) {
                byte[] content = contents.get(i);
                byte[] other = otherContents.get(i);
                if (content.length == other.length) {
                    byte[] held = content.clone();
                    System.arraycopy(other, 0, content, 0, other.length);
                    System.arraycopy(held, 0, other, 0, held.length);
                } else {
                    contents.set(i, other);
                    otherContents.set(i, content);
                    encodings.set(i, others.set(i, encodings.get(i)));
                }
            }
        };
    }

    /** Has values swap with each other: results are their owner's, who may change them. */
    static void spoil(List<?> results) throws IllegalAccessException {
        for (int i = 1; i < results.size(); i++) {
            try {
                swap(results.get(i - 1), results.get(i));
            } catch (UnsupportedOperationException unchangeable) {
                // Whoever gives lists that cannot be changed may give them twice.
                return;
            }
        }
    }

    /** Overwrites what was encoded into arrays. */
    static void overwrite(List<?> encodings) {
        for (Object encoding : encodings) {
            if (encoding instanceof byte[]) {
                Arrays.fill((byte[]) encoding, OVERWRITTEN);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void swap(Object one, Object other) throws IllegalAccessException {
        if (one instanceof List<?>) {
            List<Object> elements = (List<Object>) one;
            List<Object> held = new ArrayList<>(elements);
            refill(elements, (List<Object>) other);
            refill((List<Object>) other, held);
        } else if (one instanceof Map<?, ?>) {
            Map<Object, Object> entries = (Map<Object, Object>) one;
            Map<Object, Object> held = new LinkedHashMap<>(entries);
            refill(entries, (Map<Object, Object>) other);
            refill((Map<Object, Object>) other, held);
        } else {
            for (Field field : one.getClass().getFields()) {
                Object content = field.get(one);
                field.set(one, field.get(other));
                field.set(other, content);
            }
        }
    }

    private static void refill(List<Object> elements, List<Object> content) {
        elements.clear();
        elements.addAll(content);
    }

    private static void refill(Map<Object, Object> entries, Map<Object, Object> content) {
        entries.clear();
        entries.putAll(content);
    }
}
