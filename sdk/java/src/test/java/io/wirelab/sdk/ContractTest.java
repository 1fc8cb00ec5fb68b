package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContractTest {
    private static final String SPEC = """
            {"contract": 2, "trial": "t", "suite": "s", "scenario": "c", "contender": "x",
             "role": "client", "parameters": {"tags": 2000, "order": true},
             "operations": {"read": {"code": 1, "every": 3, "items": 5}},
             "schedule": {"first_ns": 5, "period_ns": 10, "count": 7, "warmup": 1},
             "verify": {"preflight": {"read": 2}},
             "paths": {"samples": "a", "answers": "b", "scratch": "c"},
             "limits": {"ready_ns": 1, "operation_ns": 2, "stop_ns": 3}}""";

    @TempDir Path folder;

    private static Spec spec(String text) {
        return Spec.of(Fields.of("", JsonReader.read(text)));
    }

    @Test
    void specIsReadWithItsTypes() {
        Spec spec = spec(SPEC);
        assertEquals(2000, spec.parameters().integer("tags"));
        assertTrue(spec.parameters().flag("order"));
        assertEquals("parameters.tags: expected true or false, found 2000",
                assertThrows(JsonException.class, () -> spec.parameters().flag("tags"))
                        .getMessage());
        assertEquals(new Spec.Timed("read", 1, 3, 5), spec.operation("read"));
        assertTrue(spec.operation("read").dueAt(6));
        assertFalse(spec.operation("read").dueAt(7));
        assertEquals(2, spec.operation("read").dueWithin(1, 7));
        assertEquals(3, spec.operation("read").dueWithin(0, 7));
        assertEquals(0, spec.operation("read").dueWithin(4, 6));
    }

    @Test
    void specErrorsNameTheKey() {
        assertSpecError("schedule.count: missing", SPEC.replace("\"count\": 7,", ""));
        assertSpecError("schedule.count: expected an integer, found \"7\"",
                SPEC.replace("\"count\": 7", "\"count\": \"7\""));
        assertSpecError("operations.read.code: expected 1 to 255, found 256",
                SPEC.replace("\"code\": 1", "\"code\": 256"));
        assertSpecError("contract: expected 2, found 1",
                SPEC.replace("\"contract\": 2", "\"contract\": 1"));
    }

    @Test
    void listenIsAnAddress() {
        InetSocketAddress address = spec(SPEC).listenAddress();
        assertEquals("127.0.0.1", address.getAddress().getHostAddress());
        assertEquals(0, address.getPort());
        for (String wrong : List.of("8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
                "127.0.0.1:65536")) {
            Spec spec = spec(SPEC.replace("{\"contract\"",
                    "{\"listen\": \"" + wrong + "\", \"contract\""));
            assertEquals("listen: expected HOST:PORT, found " + wrong,
                    assertThrows(JsonException.class, spec::listenAddress).getMessage());
        }
    }

    @Test
    void endpointsAreAddresses() {
        String before = "{\"endpoints\": {\"server\": \"127.0.0.1:80\", \"broker\": \"tcp\"},"
                + " \"contract\"";
        Spec spec = spec(SPEC.replace("{\"contract\"", before));
        InetSocketAddress address = spec.endpointAddress("server");
        assertEquals("127.0.0.1", address.getHostString());
        assertEquals(80, address.getPort());
        assertEquals("endpoints.broker: expected HOST:PORT, found tcp",
                assertThrows(JsonException.class, () -> spec.endpointAddress("broker"))
                        .getMessage());
        assertThrows(JsonException.class, () -> spec.endpointAddress("nobody"));
    }

    @Test
    void limitOfAnOperationIsWholeMilliseconds() {
        assertEquals(1, new Spec.Limits(1, 1_999_999, 3).operationMs());
    }

    private static void assertSpecError(String message, String text) {
        assertEquals(message, assertThrows(JsonException.class, () -> spec(text)).getMessage());
    }

    @Test
    void errorsOfAClassAreSaidAHundredTimes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Events events = new Events(out);
        Fault fault = new Fault(Fault.Scope.CALL, "Oops", "Bad", "x".repeat(100_000));
        for (int i = 0; i < 150; i++) {
            events.error(fault, "read", i, i);
        }
        events.error(fault.fatal(), "read", 0, 0);
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(Events.ERRORS_OF_A_CLASS + 1, lines.size());
        lines.forEach(line -> assertTrue(line.length() < 65_536));
    }

    @Test
    void nothingIsSaidAfterDone() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Events events = new Events(out);
        events.done(1, 2, "0badcafe");
        events.progress(1);
        assertEquals("""
                {"event":"done","records":1,"answers":2,"checksum":"0badcafe"}
                """, out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void answersCarryTheChecksumOfTheirBytes() throws IOException {
        Path file = folder.resolve("answers");
        try (Answers answers = new Answers(file)) {
            assertEquals("00000000", answers.checksum());
            answers.write("preflight", "read", 0, 1, 2, Map.of("values", List.of(0.1, "é")));
            answers.flush();
            CRC32 expected = new CRC32();
            expected.update(Files.readAllBytes(file));
            assertEquals(String.format("%08x", expected.getValue()), answers.checksum());
            assertEquals(1, answers.lines());
        }
    }

    @Test
    void stopAndEndOfInputAndGarbageEndTheWorker() {
        for (String input : List.of("{\"command\":\"stop\"}\n", "", "garbage\n",
                "{\"command\":\"dance\"}\n")) {
            Commands commands = new Commands(new ByteArrayInputStream(input.getBytes()), asked -> {});
            commands.listen();
            assertTrue(commands.awaitStart().isEmpty());
            if (input.contains("ga") || input.contains("dance")) {
                assertThrows(JsonException.class, commands::refuseFailure, input);
            }
        }
    }

    @Test
    void whatCannotBeObeyedEndsTheWorkerAndIsTold() {
        String input = "{\"command\":\"answer\",\"asked\":0,\"operation\":\"read\",\"lane\":0}\n";
        RuntimeException full = new UncheckedIOException(new IOException("disk full"));
        Commands commands = new Commands(new ByteArrayInputStream(input.getBytes()), asked -> {
            throw full;
        });
        commands.listen();
        assertTrue(commands.awaitStart().isEmpty());
        assertSame(full, assertThrows(RuntimeException.class, commands::refuseFailure));
    }

    @Test
    void tickerIsNeverEarlyAndObeysStop() {
        long zero = System.nanoTime();
        Ticker ticker = new Ticker(zero, 1_000_000, () -> false);
        for (long tick = 0; tick < 20; tick++) {
            assertTrue(ticker.await(tick));
            assertTrue(System.nanoTime() >= ticker.intendedNs(tick));
        }
        assertFalse(new Ticker(zero, Long.MAX_VALUE / 4, () -> true).await(1));
    }
}
