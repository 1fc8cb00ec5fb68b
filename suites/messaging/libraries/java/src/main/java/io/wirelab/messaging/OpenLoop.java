package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Every lane at its intended times, whatever the others and the server do. */
final class OpenLoop {
    private static final long POLL_NS = 1_000_000;

    private final Workplace place;
    private final Spec spec;
    private final List<Spec.Step> steps;
    private long zeroNs;
    private volatile boolean lost;

    OpenLoop(Workplace place) {
        this.place = place;
        spec = place.spec();
        steps = spec.schedule().steps().isEmpty() ? List.of(whole(spec)) : spec.schedule().steps();
    }

    /** A schedule without steps has one lane; the other users only get what it sends. */
    private static Spec.Step whole(Spec spec) {
        int users = Math.toIntExact(spec.parameters().integer("users", 1));
        return new Spec.Step("", 0, spec.schedule().count(), 0, users, 1, 0, spec.parameters());
    }

    void run(long startNs) throws IOException, InterruptedException {
        zeroNs = startNs + spec.schedule().firstNs();
        Spec.Step last = steps.get(steps.size() - 1);
        long ticks = last.first() + last.count();
        int size = Workplace.messageBytes(last.parameters());
        place.deliveries().begin(0, true, "", size, last.users(), last.users(), ticks);
        List<Thread> threads = new ArrayList<>();
        List<User> users = place.users(last.users());
        for (int number = 0; number < last.users(); number++) {
            int lane = number;
            Thread thread = new Thread(() -> live(users.get(lane), lane), "user-" + lane);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        loseOne(users);
        long deadlineNs = zeroNs + ticks * spec.schedule().periodNs() + place.limitNs();
        awaitAll(threads, users, deadlineNs);
        Deliveries deliveries = place.deliveries();
        while (!deliveries.complete() && !place.stopped() && System.nanoTime() < deadlineNs) {
            Thread.sleep(1);
        }
    }

    /** From joining to the last tick of one user. */
    private void live(User user, int lane) {
        try {
            join(user, lane);
            int before = 0;
            for (Spec.Step step : steps) {
                if (lane < step.lanes()) {
                    long from = lane < before ? step.first() : step.first() + step.settle();
                    for (long tick = from; tick < step.first() + step.count(); tick++) {
                        if (!perform(user, lane, step, tick)) {
                            return;
                        }
                    }
                }
                before = step.lanes();
            }
        } catch (IOException why) {
            System.err.println("user " + lane + " ended: " + why);
        }
    }

    private void join(User user, int lane) {
        int before = 0;
        for (Spec.Step step : steps) {
            if (lane < step.users()) {
                long share = step.joinsAfterNs(lane - before, step.users() - before);
                long intendedNs = zeroNs + step.first() * spec.schedule().periodNs() + share;
                boolean timed = spec.parameters().text("connect", "before").equals("timed");
                if (!timed && await(intendedNs)) {
                    user.join(intendedNs);
                }
                return;
            }
            before = step.users();
        }
    }

    private boolean perform(User user, int lane, Spec.Step step, long tick) throws IOException {
        long periodNs = spec.schedule().periodNs();
        long cycle = spec.schedule().cycleLength();
        long shift = spec.schedule().shiftNs(lane);
        if (Math.floorMod(tick - shift / periodNs, cycle) >= spec.schedule().cycleActive()) {
            return true;
        }
        long intendedNs = zeroNs + tick * periodNs + shift % periodNs;
        if (!await(intendedNs)) {
            return false;
        }
        int size = Workplace.messageBytes(step.parameters());
        if (place.broadcasts()) {
            user.send(place.main(), tick, size, intendedNs, receivers(step));
        } else {
            boolean wanted = tick % step.lanes() == lane
                    && spec.verify().wants(place.main().name(), tick);
            user.echo(place.main(), tick, size, intendedNs, wanted ? tick : -1, "measure");
        }
        return true;
    }

    /** Whoever is gone is not waited for. */
    private int receivers(Spec.Step step) {
        return step.users() - (lost ? 1 : 0);
    }

    /** The user of a scenario that dies while the others go on. */
    private void loseOne(List<User> users) {
        long afterMs = spec.parameters().integer("client_dies_ms", 0);
        if (afterMs == 0 || users.size() < 2) {
            return;
        }
        Thread thread = new Thread(() -> {
            User dying = users.get(1);
            // On a busy machine it may not be there yet, and would only come afterwards.
            boolean there = await(zeroNs + afterMs * 1_000_000);
            while (there && !dying.isConnected()) {
                there = await(System.nanoTime() + POLL_NS);
            }
            if (there) {
                lost = true;
                dying.abandon();
            }
        }, "wirelab-loss");
        thread.setDaemon(true);
        thread.start();
    }

    private boolean await(long intendedNs) {
        while (!place.stopped()) {
            long left = intendedNs - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(this, Math.min(left, 100_000_000));
        }
        return false;
    }

    private void awaitAll(List<Thread> threads, List<User> users, long deadlineNs)
            throws InterruptedException {
        for (int number = 0; number < threads.size(); number++) {
            Thread thread = threads.get(number);
            while (thread.isAlive() && !place.stopped() && System.nanoTime() < deadlineNs) {
                thread.join(50);
            }
            if (thread.isAlive()) {
                users.get(number).giveUp();
            }
        }
    }
}
