package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Batches by a clock of their own, and the loop that they are of. */
class BatchesTest {
    private static final Path VECTORS =
            Path.of(System.getProperty("basedir", "."), "..", "vectors", "batches.json");

    private static List<Map<?, ?>> vectors() throws IOException {
        List<Map<?, ?>> vectors = new ArrayList<>();
        Map<?, ?> file = (Map<?, ?>) JsonReader.read(Files.readAllBytes(VECTORS));
        ((List<?>) file.get("loops")).forEach(one -> vectors.add((Map<?, ?>) one));
        assertEquals(9, vectors.size());
        return vectors;
    }

    /** What is taken of a vector's loop. */
    private static List<Batch> taken(Map<?, ?> vector, Batches.Trust trust) throws Exception {
        Map<Object, Object> batches = new HashMap<>((Map<?, ?>) vector.get("plan"));
        batches.put("steps", List.of("a"));
        BatchPlan plan = BatchPlan.of(
                Map.of("batches", batches, "paths", Map.of("batches", "b")));
        List<?> costNs = (List<?>) vector.get("cost_ns");
        AtomicLong now = new AtomicLong();
        List<Long> begun = new ArrayList<>();
        Batches found = new Batches(rounds -> {
            now.addAndGet(rounds * (Long) costNs.get(Math.min(begun.size(), costNs.size() - 1)));
            begun.add(rounds);
            return 0;
        }, ((Long) vector.get("inputs")).intValue(), plan, now::get, trust);
        found.measure();
        return found.taken();
    }

    @Test
    void batchesAreThoseOfTheContract() throws Exception {
        for (Map<?, ?> vector : vectors()) {
            List<Object> found = new ArrayList<>();
            for (Batch batch : taken(vector, (last, sinceNs) -> true)) {
                found.add(List.of(batch.phase(), batch.rounds()));
            }
            List<Object> expected = new ArrayList<>((List<?>) vector.get("batches"));
            expected.add(List.of("allocation", 4 * (Long) vector.get("inputs")));
            assertEquals(expected, found, (String) vector.get("name"));
        }
    }

    @Test
    void agreementThatMeansNothingYetEndsNoWarmUp() throws Exception {
        Map<?, ?> vector = vectors().get(0);
        List<Batch> trusted = taken(vector, (last, sinceNs) -> true);
        List<Batch> found = taken(vector, (last, sinceNs) -> sinceNs >= 50_000_000);
        assertTrue(trusted.get(trusted.size() - 1).endNs() < 50_000_000);
        assertTrue(found.get(found.size() - 1).startNs() >= 50_000_000);
    }

    @Test
    void aLoopWorksInPassesUntilItIsStopped() throws Exception {
        List<Integer> passes = new ArrayList<>();
        Loop loop = new Loop(4) {
            @Override
            protected int pass(int rounds) {
                passes.add(rounds);
                return rounds << 29;
            }
        };
        Commands commands = new Commands(InputStream.nullInputStream());
        assertEquals(10 << 29, loop.run(10, commands));
        assertEquals(List.of(4, 4, 2), passes);
        commands.listen();
        assertTrue(commands.awaitStart().isEmpty());
        assertThrows(Loop.Stopped.class, () -> loop.run(10, commands));
    }
}
