package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;
import io.wirelab.sdk.WorkerFailure;
import io.wirelab.sdk.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The role {@code client}: all users of a trial in one process, on a closed or an open loop. */
final class Clients implements Worker.Part {
    /** Users who leave at the same time. */
    private static final int LEAVING = 32;

    private final Transport.Maker maker;

    Clients(Transport.Maker maker) {
        this.maker = maker;
    }

    @Override
    public void play(Worker worker) throws Exception {
        Spec spec = worker.spec();
        Message messages = new Message(spec.seed());
        Path counted = spec.paths().intervals();
        boolean closed = spec.schedule().closed();
        Transport transport = maker.open(spec);
        try (Deliveries deliveries = new Deliveries(messages, counted, !closed)) {
            Workplace place = new Workplace(worker, transport, messages, deliveries);
            preflight(place);
            worker.ready(Map.of("library", transport.library(),
                    "capabilities", List.of("lanes")));
            OptionalLong start = worker.commands().awaitStart();
            if (start.isPresent()) {
                deliveries.startAt(start.getAsLong());
                worker.reportFrom(start.getAsLong() + 500_000_000);
                writeIntervals(place);
                if (closed) {
                    new ClosedLoop(place).run(start.getAsLong());
                } else {
                    new OpenLoop(place).run(start.getAsLong());
                }
            }
            leave(place);
        } finally {
            close(transport, spec.limits().stopNs() / 4);
        }
    }

    private static void preflight(Workplace place) throws IOException {
        Spec spec = place.spec();
        int size = Workplace.messageBytes(spec.parameters());
        for (Map.Entry<String, Integer> calls : spec.verify().preflight().entrySet()) {
            if (!calls.getKey().equals("echo") || calls.getValue() == 0) {
                continue;
            }
            User user = new User(0, place);
            connect(user);
            for (int index = 0; index < calls.getValue() && !place.stopped(); index++) {
                long answers = place.worker().answers().lines();
                user.echo(spec.operation("echo"), 1_000_000L + index, size, -1, index, "preflight");
                if (place.worker().answers().lines() == answers && !place.stopped()) {
                    throw new WorkerFailure("echo", Fault.ofCall(
                            new IOException("no answer before the measurement"), ""));
                }
            }
            user.leave();
        }
    }

    /** Before the first call: its limit is not meant for a library's start on a busy machine. */
    private static void connect(User user) {
        try {
            user.connectNow();
        } catch (Exception why) {
            throw new WorkerFailure("echo", Fault.ofCall(why, ""));
        }
    }

    /** Side by side, and not longer than the time allowed to stop in: a broker may hang. */
    private static void leave(Workplace place) throws InterruptedException {
        List<User> users = place.users(0);
        ExecutorService leaving = Executors.newFixedThreadPool(
                Math.max(1, Math.min(LEAVING, users.size())), task -> {
                    Thread thread = new Thread(task, "wirelab-leaving");
                    thread.setDaemon(true);
                    return thread;
                });
        users.forEach(user -> leaving.execute(user::leave));
        leaving.shutdown();
        long limitNs = place.spec().limits().stopNs() / 2;
        if (!leaving.awaitTermination(limitNs, TimeUnit.NANOSECONDS)) {
            System.err.println("leaving was given up: not everybody could say goodbye in time");
        }
    }

    /** A library may wait for a broker that takes nothing any more; the worker does not. */
    private static void close(Transport transport, long limitNs) throws InterruptedException {
        Thread closing = new Thread(() -> {
            try {
                transport.close();
            } catch (Exception why) {
                System.err.println("what the users shared could not be closed: " + why);
            }
        }, "wirelab-closing");
        closing.setDaemon(true);
        closing.start();
        closing.join(TimeUnit.NANOSECONDS.toMillis(limitNs));
        if (closing.isAlive()) {
            System.err.println("closing was given up: the library did not let go in time");
        }
    }

    /** Old seconds go to the file while new ones are counted: memory stays bounded. */
    private static void writeIntervals(Workplace place) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(1_000);
                    place.deliveries().write(false);
                }
            } catch (InterruptedException | IOException ended) {
                System.err.println("intervals are no longer written: " + ended);
            }
        }, "wirelab-intervals");
        thread.setDaemon(true);
        thread.start();
    }
}
