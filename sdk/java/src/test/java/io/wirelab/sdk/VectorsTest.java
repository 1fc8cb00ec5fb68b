package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The vectors of the worker contract, which every SDK is tested against. */
class VectorsTest {
    private static final Path VECTORS =
            Path.of(System.getProperty("basedir", "."), "..", "vectors");

    private static final String SPEC = """
            {"contract": 2, "trial": "t", "suite": "s", "scenario": "c", "contender": "x",
             "role": "client", "paths": {"samples": "a", "answers": "b", "scratch": "c"},
             "limits": {"ready_ns": 1, "operation_ns": 2, "stop_ns": 3}}""";

    @TempDir Path folder;

    private static Fields read(String name) throws IOException {
        return Fields.of("", JsonReader.read(Files.readAllBytes(VECTORS.resolve(name))));
    }

    /** The schedule of a case, as it is read from a spec whose operations may last so long. */
    private static LaneSchedule schedule(Map<?, ?> of, long operationNs) {
        Map<String, Object> spec = new HashMap<>();
        ((Map<?, ?>) JsonReader.read(SPEC)).forEach((key, value) -> spec.put((String) key, value));
        spec.put("schedule", of.get("schedule"));
        spec.put("limits", Map.of("ready_ns", 1L, "operation_ns", operationNs, "stop_ns", 3L));
        return new LaneSchedule(Spec.of(Fields.of("", spec)));
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }

    private static Map<?, ?> map(Object value) {
        return (Map<?, ?>) value;
    }

    private static long whole(Object value) {
        return (Long) value;
    }

    private static List<?> cases(String file, String key) throws IOException {
        return list(map(JsonReader.read(Files.readAllBytes(VECTORS.resolve(file)))).get(key));
    }

    @Test
    void lanesAreDueAtTheirTicks() throws IOException {
        List<?> timed = cases("schedule.json", "timed");
        int lanes = 0;
        int ticks = 0;
        for (Object of : timed) {
            LaneSchedule schedule = schedule(map(of), 0);
            assertEquals(map(of).get("end_ns"), schedule.endNs());
            for (Object lane : list(map(of).get("lanes"))) {
                int number = (int) whole(map(lane).get("lane"));
                assertEquals(map(lane).get("shift_ns"), schedule.shiftNs(number));
                List<?> due = list(map(lane).get("due"));
                assertEquals(due, schedule.dueTurns(number)
                        .map(turn -> List.of(turn.tick(), turn.afterNs())).toList());
                ticks += due.size();
                lanes++;
            }
        }
        assertEquals(List.of(9, 30, 126), List.of(timed.size(), lanes, ticks));
    }

    @Test
    void usersJoin() throws IOException {
        int joins = 0;
        for (Object of : cases("schedule.json", "timed")) {
            LaneSchedule schedule = schedule(map(of), 0);
            assertTrue(schedule.joinOf(schedule.users()).isEmpty());
            for (Object join : list(map(of).get("joins"))) {
                int user = (int) whole(list(join).get(0));
                assertEquals(list(join).get(1), schedule.joinOf(user).orElseThrow().afterNs());
                joins++;
            }
        }
        assertEquals(41, joins);
    }

    @Test
    void stepsOfClosedLoopsTakeAtMostSoLong() throws IOException {
        int steps = 0;
        for (Object of : cases("schedule.json", "closed")) {
            LaneSchedule schedule = schedule(map(of), whole(map(of).get("operation_ns")));
            assertTrue(schedule.isClosed());
            Iterator<?> expected = list(map(of).get("steps")).iterator();
            for (Spec.Step step : schedule.steps()) {
                Object atMostNs = map(expected.next()).get("at_most_ns");
                assertEquals(atMostNs == null ? Long.MAX_VALUE : whole(atMostNs),
                        schedule.atMostNs(step.count() - step.settle()));
                steps++;
            }
        }
        assertEquals(6, steps);
    }

    @Test
    void theSampleFileByteForByte() throws IOException {
        Path file = folder.resolve("samples");
        Recorder recorder = new Recorder(file);
        StringBuilder expected = new StringBuilder(read("samples.json").text("header"));
        for (Fields record : read("samples.json").objects("records")) {
            recorder.record(record.integer("intended_ns"), record.integer("start_ns"),
                    record.integer("end_ns"), record.integer("size"), (int) record.integer("op"),
                    (int) record.integer("status"), (int) record.integer("lane"));
            expected.append(record.text("bytes"));
        }
        recorder.close();
        assertEquals(7, recorder.count());
        assertEquals(expected.toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
    }

    @Test
    void eventsSayWhatTheyAreTold() throws IOException {
        Map<String, Integer> kinds = new TreeMap<>();
        for (Object said : cases("events.json", "events")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            String kind = say(new Events(out), map(said));
            String line = out.toString(StandardCharsets.UTF_8);
            assertEquals(line.length() - 1, line.indexOf('\n'));
            Map<?, ?> found = map(JsonReader.read(line));
            map(said).forEach((key, value) -> assertEquals(value, found.get(key)));
            kinds.merge(kind, 1, Integer::sum);
        }
        assertEquals(Map.of("ready", 2, "progress", 2, "step", 2, "error", 2, "done", 2), kinds);
    }

    private static String say(Events events, Map<?, ?> said) {
        Fields fields = Fields.of("", said);
        String kind = fields.text("event");
        switch (kind) {
            case "ready" -> {
                Map<String, Object> about = new HashMap<>();
                said.forEach((key, value) -> about.put((String) key, value));
                about.keySet().removeAll(List.of("event", "contract"));
                events.ready(about);
            }
            case "progress" -> events.progress(fields.integer("records"));
            case "step" -> events.step(fields.text("name"), fields.integer("begin_ns"),
                    fields.integer("end_ns"));
            case "error" -> events.error(
                    new Fault(Fault.Scope.CALL, fields.text("class"), fields.text("status"),
                            fields.text("message")),
                    fields.text("operation"), fields.integer("intended_ns"), 1);
            case "done" -> events.done(fields.integer("records"), fields.integer("answers"),
                    fields.text("checksum"));
            default -> throw new AssertionError(kind);
        }
        return kind;
    }

    @Test
    void answersAreGivenAsTheyAreAskedFor() throws IOException {
        int given = 0;
        for (Object played : cases("asked.json", "cases")) {
            Path file = Files.createTempFile("answers", ".jsonl");
            Answers answers = new Answers(file);
            Recorder recorder = new Recorder(folder.resolve("asked"));
            Asked asked = new Asked(answers, recorder);
            list(map(played).get("does")).forEach(one -> play(asked, map(one)));
            answers.close();
            recorder.close();
            List<Map<?, ?>> lines = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                Map<?, ?> found = new HashMap<>(map(JsonReader.read(line)));
                given += found.remove("pause") == null ? 0 : 1;
                found.remove("records");
                lines.add(found);
            }
            Files.delete(file);
            assertEquals(map(played).get("lines"), lines, () -> "" + map(played).get("name"));
        }
        assertEquals(10, given);
    }

    private static void play(Asked asked, Map<?, ?> one) {
        int lane = (int) whole(one.get("lane"));
        if (one.get("does").equals("begin")) {
            asked.lane(lane).begin();
        } else if (one.get("does").equals("ask")) {
            asked.hear(new Asked.Asking(
                    whole(one.get("asked")), (String) one.get("operation"), lane));
        } else {
            asked.lane(lane).end(list(one.get("results")).stream()
                    .map(result -> resultOf(map(result), whole(one.get("tick")))).toList());
        }
    }

    private static Asked.Result resultOf(Map<?, ?> one, long tick) {
        Map<String, Object> answer = new HashMap<>();
        if (one.get("answer") != null) {
            map(one.get("answer")).forEach((key, value) -> answer.put((String) key, value));
        }
        return new Asked.Result((String) one.get("operation"), tick, whole(one.get("start_ns")),
                whole(one.get("end_ns")), answer.isEmpty() ? null : () -> answer);
    }

    @Test
    void commandsMeanWhatTheContractSays() throws IOException {
        List<?> commands = cases("events.json", "commands");
        for (Object command : commands) {
            String line = (String) map(command).get("line");
            Object startNs = map(command).get("start_ns");
            try (PipedOutputStream core = new PipedOutputStream()) {
                Commands heard = new Commands(new PipedInputStream(core), asked -> {});
                heard.listen();
                core.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                core.flush();
                assertEquals(startNs == null ? OptionalLong.empty()
                        : OptionalLong.of(whole(startNs)), heard.awaitStart(), line);
                heard.refuseFailure();
            }
        }
        assertEquals(10, commands.size());
    }
}
