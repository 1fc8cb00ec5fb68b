package io.wirelab.codec.worker;

import io.wirelab.codec.Contender;
import io.wirelab.codec.Subject;
import io.wirelab.codec.loops.StopSignal;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Recorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A worker of the role {@code codec}: answers and loops of every step, as the spec asks. */
public final class CodecWorker {
    /** How this language's strings are seen by folds. */
    private static final String STRINGS = "utf-16";

    /** Makes a contender of the spec's parameters. */
    @FunctionalInterface
    public interface Maker {
        /** The contender, tuned by {@code parameters}. */
        Contender make(Fields parameters) throws Exception;
    }

    private final Plan plan;
    private final Conversation core;
    private final StopSignal stop;

    private CodecWorker(Plan plan, Conversation core, StopSignal stop) {
        this.plan = plan;
        this.core = core;
        this.stop = stop;
    }

    /** Works as the process's only purpose; does not return. */
    public static void main(Maker maker) {
        StopSignal stop = new StopSignal();
        Conversation core = new Conversation(stop);
        int code = 1;
        try {
            Plan plan = Plan.load(Path.of(variable("WIRELAB_SPEC")));
            new CodecWorker(plan, core, stop).work(maker.make(plan.parameters()));
            code = 0;
        } catch (Throwable why) {
            why.printStackTrace();
            core.giveUp(why);
        } finally {
            System.exit(code);
        }
    }

    private void work(Contender contender) throws Exception {
        Path suite = Path.of(variable("CODEC_SUITE"));
        String asked = plan.parameters().text("strings", STRINGS);
        if (!asked.equals(STRINGS)) {
            throw new IllegalArgumentException("strings: Java has " + STRINGS + ", not " + asked);
        }
        List<Subject> subjects = new ArrayList<>();
        for (String step : plan.steps()) {
            subjects.add(contender.subject(suite, step));
        }
        new Recorder(plan.paths().samples()).close(); // A header alone: there are no samples.
        LineFile answers = new LineFile(plan.paths().answers());
        LineFile batches = new LineFile(plan.batchFile());
        // Closed, both of them, before the core is told that they are complete.
        try (answers; batches) {
            core.ready(contender.library(), Map.of("format", contender.format(),
                    "strings", STRINGS, "operations", subjects.get(0).operations()));
            if (core.awaitStart()) {
                steps(subjects, suite, contender.format(), answers, batches);
            }
        }
        core.done(answers, batches);
    }

    private void steps(List<Subject> subjects, Path suite, String format, LineFile answers,
            LineFile batches) throws Exception {
        Conformance conformance = new Conformance(plan, suite, format, answers, stop);
        BatchRunner runner = new BatchRunner(plan, batches, stop);
        for (Subject subject : subjects) {
            step(subject, answers, conformance, runner);
        }
    }

    private void step(Subject subject, LineFile answers, Conformance conformance,
            BatchRunner runner) throws Exception {
        // With rounds that are given, the first one of all is to be a cold one.
        boolean cold = plan.rounds() > 0;
        if (!cold) {
            answer(subject, answers, conformance);
        }
        if (plan.count() > 0) {
            runner.run(subject, plan.timed().stream().filter(subject.operations()::contains)
                    .toList());
            core.sayRuntime();
        }
        if (cold) {
            answer(subject, answers, conformance);
        }
    }

    private void answer(Subject subject, LineFile answers, Conformance conformance)
            throws Exception {
        if (subject.answers() && !stop.given()) {
            new Preflight(subject, answers).answer();
            conformance.of(subject);
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException(name + " is not set");
        }
        return value;
    }
}
