package io.wirelab.messaging;

import io.wirelab.sdk.Closing;
import io.wirelab.sdk.Fault;
import io.wirelab.sdk.LaneSchedule;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.ThreadedLanes;
import io.wirelab.sdk.Worker;
import io.wirelab.sdk.WorkerFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The role {@code client}: all users of a trial in one process, on a closed or an open loop. */
final class ClientRole implements Worker.Part {
    /** Users who leave at the same time. */
    private static final int LEAVING = 32;

    private final Transport.Maker maker;

    ClientRole(Transport.Maker maker) {
        this.maker = maker;
    }

    @Override
    public void play(Worker worker) throws Exception {
        Spec spec = worker.spec();
        // Without steps one user sends; the others only get what it sends.
        LaneSchedule schedule = new LaneSchedule(spec,
                Math.toIntExact(spec.parameters().integer("users", 1)));
        Message messages = new Message(Secret.taken(), spec.seed());
        Transport transport = maker.open(spec);
        int competing = spec.parameters().has("work_ms") ? schedule.users() : 0;
        try (Deliveries deliveries = new Deliveries(messages, spec.paths().intervals(),
                !schedule.isClosed(), spec.operations().containsKey("send"), competing)) {
            WorkerSetup place = new WorkerSetup(worker, transport, messages, deliveries);
            Phases phases = new Phases(spec, schedule, deliveries);
            Users users = new Users(place, phases, schedule);
            ThreadedLanes<Users.Asked, Users.Asked> lanes =
                    new ThreadedLanes<>(worker, users, schedule);
            if (spec.verify().preflight().getOrDefault("echo", 0) > 0) {
                preflight(lanes, users.all().get(0));
            }
            worker.ready(Map.of("library", transport.library(), "capabilities", List.of("lanes")));
            lanes.run();
            if (place.promises()) {
                List<Spec.Step> steps = schedule.steps();
                new Promises(place, phases, steps.get(steps.size() - 1)).attempt(users.all());
            }
            leave(users.all(), spec.limits().stopNs() / 2);
        } finally {
            // A library may wait for a broker that takes nothing any more.
            Closing.within(spec.limits().stopNs() / 4, transport::close);
        }
    }

    /** Connects before the first call, whose limit is not meant for a library's start. */
    private static void preflight(ThreadedLanes<?, ?> lanes, User first) {
        try {
            first.connect();
        } catch (Exception why) {
            throw new WorkerFailure("echo", Fault.ofCall(why, ""));
        }
        lanes.preflight();
        first.leave();
    }

    /** Side by side, and not longer than the limit: a broker may hang. */
    private static void leave(List<User> users, long limitNs) throws InterruptedException {
        ExecutorService leaving = Executors.newFixedThreadPool(
                Math.min(LEAVING, users.size()), task -> {
                    Thread thread = new Thread(task, "wirelab-leaving");
                    thread.setDaemon(true);
                    return thread;
                });
        users.forEach(user -> leaving.execute(user::leave));
        leaving.shutdown();
        if (!leaving.awaitTermination(limitNs, TimeUnit.NANOSECONDS)) {
            System.err.println("leaving was given up: not everybody could say goodbye in time");
        }
    }
}
