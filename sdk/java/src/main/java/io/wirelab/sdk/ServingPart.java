package io.wirelab.sdk;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server on the core's commands: starts, says {@code ready} with its endpoint and facts, serves
 * until it is told to stop, and closes. It performs no operations, so it records none.
 */
public final class ServingPart implements Worker.Part {
    private static final long RUNTIME_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Share of the time allowed to stop in that closing may take: a half; the rest is for the JVM
     * to end.
     */
    private static final int STOP_SHARE = 2;

    private final Server.Maker maker;

    private ServingPart(Server.Maker maker) {
        this.maker = maker;
    }

    /** Runs the server as the process's only purpose; does not return. */
    public static void main(Server.Maker maker) {
        Worker.main(new ServingPart(maker));
    }

    @Override
    public void play(Worker worker) throws Exception {
        Server server = maker.start(worker.spec());
        worker.ready(Map.of("library", server.library(), "endpoint", server.endpoint(),
                "facts", server.facts()));
        worker.reportFrom(System.nanoTime() + RUNTIME_PERIOD_NS);
        worker.commands().awaitStop();
        Closing.within(worker.spec().limits().stopNs() / STOP_SHARE, server::close);
    }
}
