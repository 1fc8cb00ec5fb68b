package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
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
    private static final Map<String, Object> NOTHING = Map.of("steps", List.of("a"), "rounds", 0L,
            "batch_ns", 0L, "count", 0L, "warmup_ns", 0L, "agree", 0.0);

    private static List<Map<?, ?>> vectors(String of) throws IOException {
        List<Map<?, ?>> vectors = new ArrayList<>();
        Map<?, ?> file = (Map<?, ?>) JsonReader.read(Files.readAllBytes(VECTORS));
        ((List<?>) file.get(of)).forEach(one -> vectors.add((Map<?, ?>) one));
        assertEquals(of.equals("loops") ? 11 : 9, vectors.size());
        return vectors;
    }

    /** A plan of {@code batches} alone. */
    private static BatchPlan plan(Map<?, ?> batches, Object prewarmMs) {
        Map<Object, Object> whole = new HashMap<>(NOTHING);
        whole.putAll(batches);
        return BatchPlan.of(Map.of("batches", whole, "paths", Map.of("batches", "b"),
                "parameters", Map.of("prewarm_ms", prewarmMs)));
    }

    /** A loop of {@code vector} by the clock {@code now}. */
    private static Batches loop(Map<?, ?> vector, BatchPlan plan, AtomicLong now,
            Batches.Trust trust) {
        List<?> costNs = (List<?>) vector.get("cost_ns");
        List<Long> begun = new ArrayList<>();
        return new Batches(iterations -> {
            Long costs = (Long) costNs.get(Math.min(begun.size(), costNs.size() - 1));
            now.addAndGet(iterations * costs);
            begun.add(iterations);
            return 0;
        }, ((Long) vector.get("inputs")).intValue(), plan, now::get, trust)
                .audited(Boolean.TRUE.equals(vector.get("audited")) ? () -> 0 : null);
    }

    /** Batches that are taken of a vector's loop. */
    private static List<Batch> taken(Map<?, ?> vector, Batches.Trust trust) throws Exception {
        BatchPlan plan = plan((Map<?, ?>) vector.get("plan"), 0L);
        Batches found = loop(vector, plan, new AtomicLong(), trust);
        found.measure();
        return found.taken();
    }

    /** Turns that are taken before one of a vector's operations is timed, and their iterations. */
    private static List<Object> turns(Map<?, ?> vector) {
        Map<?, ?> asked = (Map<?, ?>) vector.get("plan");
        BatchPlan plan = plan(Map.of("batch_ns", asked.get("batch_ns")), asked.get("prewarm_ms"));
        List<?> compiling = (List<?>) vector.get("compiling");
        AtomicLong now = new AtomicLong();
        AtomicLong compiled = new AtomicLong();
        List<Object> found = new ArrayList<>();
        List<Prewarming.Turn> turns = new ArrayList<>();
        for (Object operation : (List<?>) vector.get("operations")) {
            long number = turns.size();
            Batches batches = loop((Map<?, ?>) operation, plan, now, (last, sinceNs) -> true);
            turns.add(() -> {
                boolean again = assertDoesNotThrow(batches::prewarm);
                Batch last = batches.taken().get(batches.taken().size() - 1);
                assertEquals("prewarm", last.phase());
                if (compiling.contains((long) found.size())) {
                    compiled.incrementAndGet();
                }
                found.add(List.of(number, last.iterations()));
                return again;
            });
        }
        new Prewarming(plan.prewarmNs(), now::get, compiled::get).run(turns);
        return found;
    }

    @Test
    void operationsTakeTurnsUntilTheCompilersRest() throws Exception {
        for (Map<?, ?> vector : vectors("prewarmings")) {
            assertEquals(vector.get("batches"), turns(vector), (String) vector.get("name"));
        }
    }

    @Test
    void batchesAreThoseOfTheContract() throws Exception {
        for (Map<?, ?> vector : vectors("loops")) {
            List<Object> found = new ArrayList<>();
            for (Batch batch : taken(vector, (last, sinceNs) -> true)) {
                found.add(List.of(batch.phase(), batch.iterations()));
            }
            List<Object> expected = new ArrayList<>((List<?>) vector.get("batches"));
            expected.add(List.of("allocation", 4 * (Long) vector.get("inputs")));
            assertEquals(expected, found, (String) vector.get("name"));
        }
    }

    @Test
    void agreementThatMeansNothingYetEndsNoWarmUp() throws Exception {
        Map<?, ?> vector = vectors("loops").get(0);
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
            protected int pass(int iterations) {
                passes.add(iterations);
                return iterations << 29;
            }
        };
        Commands commands = new Commands(InputStream.nullInputStream(), asked -> {});
        assertEquals(10 << 29, loop.run(10, commands));
        assertEquals(List.of(4, 4, 2), passes);
        commands.listen();
        assertTrue(commands.awaitStart().isEmpty());
        assertThrows(Loop.Stopped.class, () -> loop.run(10, commands));
    }
}
