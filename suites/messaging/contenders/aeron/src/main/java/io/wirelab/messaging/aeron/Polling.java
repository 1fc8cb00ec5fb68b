package io.wirelab.messaging.aeron;

import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.wirelab.messaging.Rounds;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.IdleStrategy;

/** The thread that polls for all users: a thread each would be hundreds that wake up. */
final class Polling implements AutoCloseable {
    private static final int FRAGMENTS = 16;

    private final List<Polled> all = new CopyOnWriteArrayList<>();
    private final IdleStrategy idle;
    private final Rounds rounds;

    private record Polled(Subscription subscription, FragmentHandler handler) {}

    Polling(IdleStrategy idle) {
        this.idle = idle;
        rounds = new Rounds("poller", this::poll);
    }

    void add(Subscription subscription, FragmentHandler handler) {
        all.add(new Polled(subscription, handler));
    }

    /** No longer polls {@code subscription}, and closes it. */
    void remove(Subscription subscription) {
        all.removeIf(polled -> polled.subscription == subscription);
        subscription.close();
    }

    private void poll() {
        int taken = 0;
        for (Polled each : all) {
            taken += each.subscription.poll(each.handler, FRAGMENTS);
        }
        idle.idle(taken);
    }

    @Override
    public void close() {
        rounds.close();
    }
}
