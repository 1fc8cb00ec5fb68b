package io.wirelab.sdk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * One worker process: reads the spec, opens the files, plays its part, says {@code done} and ends
 * with 0; or says why it cannot, and ends with 1. No thread of a library keeps it alive.
 */
public final class Worker {
    private final Spec spec;
    private final Events events;
    private final Commands commands;
    private final Recorder recorder;
    private final Answers answers;
    private final Asked asked;
    private final RuntimeProbe probe;
    private Long batches;

    /** Work of a worker between reading its spec and saying {@code done}. */
    @FunctionalInterface
    public interface Part {
        /** Plays the part until the schedule is worked through or the worker is told to stop. */
        void play(Worker worker) throws Exception;
    }

    private Worker(Spec spec, Events events) throws IOException {
        this.spec = spec;
        this.events = events;
        recorder = new Recorder(spec.paths().samples());
        answers = new Answers(spec.paths().answers());
        asked = new Asked(answers, recorder);
        commands = new Commands(System.in, asked::hear);
        probe = new RuntimeProbe(events, recorder::count);
    }

    /** Plays {@code part} as the process's only purpose; does not return. */
    public static void main(Part part) {
        Events events = Events.onStandardOutput();
        int code = 1;
        try {
            Worker worker = new Worker(Spec.load(specPath()), events);
            worker.commands.listen();
            part.play(worker);
            worker.finish();
            code = 0;
        } catch (Throwable why) {
            giveUp(events, why);
        } finally {
            System.exit(code);
        }
    }

    /** Spec of what is to be done. */
    public Spec spec() {
        return spec;
    }

    /** Events in which to say what happens. */
    public Events events() {
        return events;
    }

    /** Commands of the core. */
    public Commands commands() {
        return commands;
    }

    /** The sample file. */
    public Recorder recorder() {
        return recorder;
    }

    /** The answers file. */
    public Answers answers() {
        return answers;
    }

    /** Results that are kept for answers that are asked for. */
    Asked asked() {
        return asked;
    }

    /**
     * Says {@code ready}.
     *
     * @param said {@code library} (name, version), and {@code endpoint}, {@code facts} and
     *     {@code capabilities} where the role has them
     */
    public void ready(Map<String, ?> said) throws IOException {
        answers.flush();
        events.ready(said);
    }

    /**
     * Says once a second from {@code firstNs} on how the runtime is; between two ticks is where
     * that disturbs least.
     */
    public void reportFrom(long firstNs) {
        probe.start(firstNs);
    }

    /** Says how the runtime is. */
    void sayRuntime() {
        probe.say();
    }

    /** Lets {@code done} say how many lines the batch file has. */
    void tookBatches(long lines) {
        batches = lines;
    }

    private void finish() throws IOException {
        commands.refuseFailure();
        asked.close();
        recorder.close();
        answers.close();
        probe.say();
        events.done(recorder.count(), answers.lines(), answers.checksum(), batches);
    }

    private static Path specPath() {
        String path = System.getenv("WIRELAB_SPEC");
        if (path == null || path.isEmpty()) {
            throw new JsonException("WIRELAB_SPEC is not set: this program is started by wirelab");
        }
        return Path.of(path);
    }

    private static void giveUp(Events events, Throwable why) {
        why.printStackTrace();
        try {
            if (why instanceof WorkerFailure failure) {
                events.error(failure.fault(), failure.operation(), 0, System.nanoTime());
            } else {
                events.error(Fault.ofCall(why, "").fatal(), "", 0, System.nanoTime());
            }
        } catch (RuntimeException unheard) {
            System.err.println("the error could not be reported either: " + unheard.getMessage());
        }
    }
}
