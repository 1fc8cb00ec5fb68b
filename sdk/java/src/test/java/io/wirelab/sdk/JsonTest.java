package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static final String DOCUMENT = """
            {"a": [1, -2.5e3, true, null, "x\\u00e9\\ud83d\\ude00"], "b": {"c": ""}, "d": false}""";

    @Test
    void readsWhatItWrites() {
        Object value = JsonReader.read(DOCUMENT);
        assertEquals(Map.of("c", ""), ((Map<?, ?>) value).get("b"));
        assertEquals(Arrays.asList(1L, -2500.0, true, null, "xé😀"),
                ((Map<?, ?>) value).get("a"));
        assertEquals(value, JsonReader.read(JsonWriter.write(value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "[1 2]", "nul", "truely", "01",
        "+1", ".5", "1.", "1e", "-", "--1", "0x10", "NaN", "Infinity", "1 2", "\"", "\"\\x\"",
        "\"\\u12g4\"", "\"\t\"", "'a'", "{\"a\":1,\"a\":2}", "9223372036854775808", "1e999",
        "\ufeff1", "[1]]", "\u00a01", "\"\\u٠٠٠٠\"", "1٢"
    })
    void refusesWhatIsNotJson(String text) {
        assertThrows(JsonException.class, () -> JsonReader.read(text));
    }

    @Test
    void refusesDeepNestingInsteadOfOverflowing() {
        assertThrows(JsonException.class, () -> JsonReader.read("[".repeat(100_000)));
        String deepest = "[".repeat(JsonReader.DEPTH_LIMIT) + "]".repeat(JsonReader.DEPTH_LIMIT);
        assertEquals(deepest, JsonWriter.write(JsonReader.read(deepest)));
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        assertThrows(JsonException.class,
                () -> JsonReader.read(new byte[] {'"', (byte) 0xc3, '(', '"'}));
    }

    @Test
    void damagedTextIsReadOrRefusedButNeverBreaksTheReader() {
        Random random = new Random(4711);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = DOCUMENT.getBytes(StandardCharsets.UTF_8);
            for (int damage = random.nextInt(4); damage >= 0; damage--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
            try {
                Object value = JsonReader.read(cut);
                assertEquals(value, JsonReader.read(JsonWriter.write(value)));
            } catch (JsonException refused) {
                assertEquals(JsonException.class, refused.getClass());
            }
        }
    }

    @Test
    void numbersReadBackTheSame() {
        Random random = new Random(4711);
        for (int round = 0; round < 20_000; round++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String written = JsonWriter.shortest(value);
                assertEquals(value, Double.parseDouble(written));
                assertTrue(digits(written) <= digits(Double.toString(value)), written);
            }
        }
    }

    private static int digits(String number) {
        return new BigDecimal(number).stripTrailingZeros().precision();
    }

    @Test
    void numbersAreShortest() {
        assertEquals("0.1", JsonWriter.shortest(0.1));
        assertEquals("2147483.647", JsonWriter.shortest(2147483.647));
        assertEquals("14254.0", JsonWriter.shortest(14254.0));
        assertEquals("-0.0", JsonWriter.shortest(-0.0));
        assertEquals("0.002", JsonWriter.shortest(2e-3));
        // Double.toString says 1.9999999999999998E23 in Java 17.
        assertEquals("2E+23", JsonWriter.shortest(2e23));
        assertEquals("5E-324", JsonWriter.shortest(Double.MIN_VALUE));
    }

    @Test
    void textThatHasNoUtf8FormIsEscaped() {
        assertEquals("\"\\ud800\"", JsonWriter.write("\ud800"));
        assertEquals("\"\\u0000\\\"\\\\\\n\"", JsonWriter.write("\0\"\\\n"));
    }

    @Test
    void refusesToWriteWhatJsonCannotSay() {
        assertThrows(IllegalArgumentException.class, () -> JsonWriter.write(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> JsonWriter.write(new Object()));
        assertEquals("[]", JsonWriter.write(List.of()));
    }
}
