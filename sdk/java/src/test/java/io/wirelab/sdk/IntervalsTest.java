package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The interval file, and what is counted until it is written. */
class IntervalsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Path VECTORS = Path.of(System.getProperty("basedir", "."), "..",
            "vectors", "intervals.json");

    @TempDir Path folder;

    private static Durations durations(List<?> of) {
        Durations found = new Durations();
        of.forEach(ns -> found.add((Long) ns));
        return found;
    }

    /** The header of a histogram, and its counters one by one; nothing of none. */
    private static List<Object> read(Object text) throws DataFormatException {
        List<Object> read = new ArrayList<>();
        if (text == null || text.equals("")) {
            return read;
        }
        ByteBuffer encoded = ByteBuffer.wrap(Base64.getDecoder().decode((String) text));
        read.add(encoded.getInt());
        assertEquals(encoded.getInt(), encoded.remaining());
        Inflater inflater = new Inflater();
        inflater.setInput(encoded);
        byte[] bytes = new byte[1 << 16];
        ByteBuffer payload = ByteBuffer.wrap(bytes, 0, inflater.inflate(bytes));
        inflater.end();
        read.add(payload.getInt());
        assertEquals(payload.getInt(), payload.limit() - 40);
        read.addAll(List.of(payload.getLong(), payload.getLong(), payload.getLong(),
                payload.getDouble()));
        while (payload.hasRemaining()) {
            long number = unsigned(payload);
            long count = number >>> 1 ^ -(number & 1);
            for (long zeros = Math.max(0, -count); zeros > 0; zeros--) {
                read.add(0L);
            }
            if (count >= 0) {
                read.add(count);
            }
        }
        return read;
    }

    private static long unsigned(ByteBuffer numbers) {
        byte low = numbers.get();
        return low >= 0 ? low : unsigned(numbers) << 7 | low & 0x7f;
    }

    @Test
    void linesAreThoseOfTheVectors() throws IOException, DataFormatException {
        Map<?, ?> vectors = (Map<?, ?>) JsonReader.read(Files.readAllBytes(VECTORS));
        List<?> cases = (List<?>) vectors.get("intervals");
        Path file = folder.resolve("intervals");
        int histograms = 0;
        for (Object one : cases) {
            Map<?, ?> given = (Map<?, ?>) one;
            Fields fields = Fields.of("", given.get("fields"));
            Map<String, Long> counts = new HashMap<>();
            ((Map<?, ?>) ((Map<?, ?>) given.get("fields")).get("counts"))
                    .forEach((name, count) -> counts.put((String) name, (Long) count));
            Object step = ((Map<?, ?>) given.get("fields")).get("step");
            try (Intervals intervals = new Intervals(file)) {
                assertEquals(0, Files.size(file));
                intervals.write(new Interval(fields.integer("second"), fields.text("operation"),
                        step == null ? "" : (String) step, counts,
                        durations((List<?>) given.get("service_ns")),
                        durations((List<?>) given.get("response_ns"))));
                intervals.flush();
                assertTrue(Files.readString(file).endsWith("}\n"));
            }
            Map<?, ?> line = new HashMap<>((Map<?, ?>) JsonReader.read(Files.readAllBytes(file)));
            for (String kind : List.of("service", "response")) {
                List<Object> wanted = read(given.get(kind));
                assertEquals(wanted, read(line.remove(kind)));
                histograms += wanted.isEmpty() ? 0 : 1;
            }
            assertEquals(given.get("fields"), line);
        }
        assertEquals(List.of(4, 4), List.of(cases.size(), histograms));
    }

    @Test
    void whatIsOutOfBoundsCountsAsTheNearestBound() {
        assertEquals(durations(List.of(0L, 120 * SECOND)).encoded(),
                durations(List.of(-1L, 121 * SECOND)).encoded());
    }

    @Test
    void secondsAreTakenOutOnceTheyAreOldEnough() {
        BySecond<List<Long>> kept = new BySecond<>(ArrayList::new);
        kept.startAt(10 * SECOND);
        for (long ns : new long[] {14 * SECOND, 9 * SECOND, 11 * SECOND - 1, 11 * SECOND}) {
            kept.at(ns).add(ns);
        }
        assertEquals(Map.of(), kept.settled(13 * SECOND - 1, 2));
        assertEquals(Map.of(0L, List.of(9 * SECOND, 11 * SECOND - 1)),
                kept.settled(13 * SECOND, 2));
        kept.at(10 * SECOND).add(1L);
        assertEquals(Map.of(0L, List.of(1L), 1L, List.of(11 * SECOND), 4L, List.of(14 * SECOND)),
                kept.all());
        assertEquals(Map.of(), kept.all());
    }
}
