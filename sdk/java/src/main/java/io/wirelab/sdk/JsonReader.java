package io.wirelab.sdk;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict JSON reader (RFC 8259), just large enough for the worker contract.
 *
 * <p>Own code and not a library, because whatever the SDK depends on would be counted as a
 * dependency of every Java contender and shift the figures of what a library costs to own.
 *
 * <p>Objects become {@link Map} (in the order written), arrays {@link List}, numbers {@link Long}
 * where they are written as integers and {@link Double} otherwise. Refused, because each of them
 * means that writer and reader would disagree: an integer beyond 64 bits, a number beyond double,
 * a key that occurs twice, text after the value, bytes that are not UTF-8.
 */
public final class JsonReader {
    /** Nesting beyond this is refused, so that hostile input cannot exhaust the stack. */
    static final int DEPTH_LIMIT = 64;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The value in {@code text}; throws {@link JsonException} with the offset of what is wrong. */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.wrong("text after the value");
        }
        return value;
    }

    /** The value in {@code bytes}, which must be UTF-8 without a byte order mark. */
    public static Object read(byte[] bytes) {
        try {
            return read(StandardCharsets.UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException notUtf8) {
            throw new JsonException("not UTF-8: " + notUtf8.getMessage());
        }
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        open();
        Map<String, Object> members = new LinkedHashMap<>();
        skipSpace();
        if (!accept('}')) {
            do {
                skipSpace();
                String key = string();
                skipSpace();
                expect(':');
                if (members.containsKey(key)) {
                    throw wrong("the key " + JsonWriter.write(key) + " occurs twice");
                }
                members.put(key, value());
                skipSpace();
            } while (accept(','));
            expect('}');
        }
        depth--;
        return members;
    }

    private List<Object> array() {
        open();
        List<Object> items = new ArrayList<>();
        skipSpace();
        if (!accept(']')) {
            do {
                items.add(value());
                skipSpace();
            } while (accept(','));
            expect(']');
        }
        depth--;
        return items;
    }

    private void open() {
        if (++depth > DEPTH_LIMIT) {
            throw wrong("nested deeper than " + DEPTH_LIMIT);
        }
        at++;
    }

    private String string() {
        expect('"');
        int from = at;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\'
                && text.charAt(at) >= ' ') {
            at++;
        }
        if (accept('"')) {
            return text.substring(from, at - 1);
        }
        StringBuilder content = new StringBuilder().append(text, from, at);
        while (!accept('"')) {
            char next = peek();
            if (next < ' ') {
                throw wrong("a control character in a string");
            }
            at++;
            content.append(next == '\\' ? escaped() : next);
        }
        return content.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> {
                at--;
                throw wrong("an unknown escape");
            }
        };
    }

    private char codeUnit() {
        int unit = 0;
        for (int digit = 0; digit < 4; digit++) {
            char written = peek();
            // Character.digit would also take the digits of other scripts.
            int value = written < 128 ? Character.digit(written, 16) : -1;
            if (value < 0) {
                throw wrong("expected four hexadecimal digits");
            }
            unit = unit << 4 | value;
            at++;
        }
        return (char) unit;
    }

    private Object number() {
        int from = at;
        accept('-');
        if (!accept('0')) {
            digits();
        }
        boolean integer = true;
        if (accept('.')) {
            integer = false;
            digits();
        }
        if (accept('e') || accept('E')) {
            integer = false;
            if (!accept('+')) {
                accept('-');
            }
            digits();
        }
        String written = text.substring(from, at);
        // "-0" has no integer of its own; as a double it keeps its sign.
        if (integer && !written.equals("-0")) {
            return integer(written);
        }
        return floating(written);
    }

    private void digits() {
        int from = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == from) {
            throw wrong("expected a value");
        }
    }

    private Long integer(String written) {
        try {
            return Long.valueOf(written);
        } catch (NumberFormatException tooLarge) {
            throw wrong("an integer beyond 64 bits");
        }
    }

    private Double floating(String written) {
        double value = Double.parseDouble(written);
        if (Double.isInfinite(value)) {
            throw wrong("a number beyond double");
        }
        return value;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("expected a value");
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("the text ends too early");
        }
        return text.charAt(at);
    }

    private boolean accept(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw wrong("expected '" + wanted + "'");
        }
    }

    private JsonException wrong(String what) {
        return new JsonException("offset " + at + ": " + what);
    }
}
