package io.wirelab.codec.worker;

import io.wirelab.codec.Contender;
import io.wirelab.codec.Subject;
import io.wirelab.sdk.BatchWorker;
import io.wirelab.sdk.Fields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A worker of the role {@code codec}: what is repeated at each step, and its answers. */
public final class CodecWorker {
    /** Form in which folds see this language's strings. */
    private static final String STRINGS = "utf-16";

    /** Makes a contender of the spec's parameters. */
    @FunctionalInterface
    public interface Maker {
        /** The contender, tuned by {@code parameters}. */
        Contender make(Fields parameters) throws Exception;
    }

    private CodecWorker() {}

    /** Works as the process's only purpose; does not return. */
    public static void main(Maker maker) {
        BatchWorker.main(worker -> work(worker, maker.make(worker.spec().parameters())));
    }

    private static void work(BatchWorker worker, Contender contender) throws Exception {
        Path suite = Path.of(variable("CODEC_SUITE"));
        String asked = worker.spec().parameters().text("strings", STRINGS);
        if (!asked.equals(STRINGS)) {
            throw new IllegalArgumentException("strings: Java has " + STRINGS + ", not " + asked);
        }
        if (worker.spec().operations().containsKey("backward")) {
            evolve(worker, contender, suite);
            return;
        }
        if (worker.spec().operations().containsKey("once")) {
            large(worker, contender, suite);
            return;
        }
        List<Subject> subjects = new ArrayList<>();
        for (String step : worker.plan().steps()) {
            subjects.add(contender.subject(suite, step));
        }
        ready(worker, contender, subjects.get(0).operations());
        Conformance conformance = new Conformance(worker, suite, contender.format());
        worker.repeat(subjects, subject -> {
            if (subject.answers()) {
                new Preflight(subject, worker.answers()).answer();
                conformance.of(subject);
            }
        });
    }

    private static void evolve(BatchWorker worker, Contender contender, Path suite)
            throws Exception {
        ready(worker, contender, List.of());
        Evolution evolution = new Evolution(worker, contender, suite);
        List<Evolution.Change> changes =
                worker.plan().steps().stream().map(Evolution.Change::new).toList();
        worker.repeat(changes, evolution::answer);
    }

    private static void large(BatchWorker worker, Contender contender, Path suite)
            throws Exception {
        ready(worker, contender, LargeStep.DIRECTIONS);
        List<LargeStep> steps = new ArrayList<>();
        for (String step : worker.plan().steps()) {
            steps.add(new LargeStep(contender.large(), suite, step));
        }
        worker.repeat(steps, step -> step.answer(worker.answers()));
    }

    private static void ready(BatchWorker worker, Contender contender, List<String> operations)
            throws IOException {
        worker.ready(
                Map.of("name", contender.library().name(),
                        "version", contender.library().version()),
                Map.of("format", contender.format(), "strings", STRINGS,
                        "operations", operations));
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException(name + " is not set");
        }
        return value;
    }
}
