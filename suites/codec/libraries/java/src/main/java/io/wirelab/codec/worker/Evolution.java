package io.wirelab.codec.worker;

import io.wirelab.codec.Contender;
import io.wirelab.codec.evolution.Version;
import io.wirelab.sdk.BatchWorker;
import io.wirelab.sdk.JsonReader;
import io.wirelab.sdk.Loop;
import io.wirelab.sdk.Repeated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Data of one version of the record read by code of another. */
final class Evolution {
    private final BatchWorker worker;
    private final Contender contender;
    private final Map<?, ?> values;

    Evolution(BatchWorker worker, Contender contender, Path suite) throws IOException {
        this.worker = worker;
        this.contender = contender;
        Path file = suite.resolve("vectors").resolve("evolution.json");
        this.values = (Map<?, ?>) JsonReader.read(Files.readAllBytes(file));
    }

    /** A step in which nothing is repeated. */
    record Change(String step) implements Repeated {
        @Override
        public List<String> operations() {
            return List.of();
        }

        @Override
        public Loop loop(String operation) {
            throw new IllegalArgumentException("steps of evolution are read, not repeated in loops");
        }
    }

    /** New code reads old data, old code reads new data, and old code hands new data on. */
    void answer(Change change) throws Exception {
        Version former = new Version("base", contender);
        Version later = new Version(change.step(), contender);
        Map<?, ?> both = (Map<?, ?>) values.get(change.step());
        int tick = 0;
        for (Object value : (List<?>) both.get("old")) {
            say("backward", change, tick++, () -> later.read(former.write((Map<?, ?>) value)));
        }
        tick = 0;
        for (Object value : (List<?>) both.get("new")) {
            say("forward", change, tick, () -> former.read(later.write((Map<?, ?>) value)));
            say("rewrite", change, tick++,
                    () -> later.read(former.again(later.write((Map<?, ?>) value))));
        }
    }

    private void say(String operation, Change change, int tick, Callable<Object> read)
            throws IOException {
        Answer answer = new Answer("measure", operation, change.step(), tick);
        Object value = answer.time(read);
        if (value != null) {
            answer.value(() -> value);
        }
        worker.answers().add(answer.line());
    }
}
