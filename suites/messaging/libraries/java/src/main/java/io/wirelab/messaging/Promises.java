package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The promise of a connection, tried once nothing is due any more: whoever is connected gets what is
 * sent from then on. Users leave and come back, and somebody sends to everybody at once. Who it is
 * is drawn, and the message is the next one of its sender.
 */
final class Promises {
    /**
     * Users of one try: one who comes back, one who sends, and one who shows that it was passed on.
     */
    private static final int COMPANY = 3;
    private static final long ARRIVAL_NS = 1_000_000_000;
    private static final long WHOLE_NS = 3_000_000_000L;
    private static final long POLL_MS = 1;

    private final WorkerSetup place;
    private final Phases phases;
    private final Spec.Step step;
    private final SecureRandom draw = new SecureRandom();

    Promises(WorkerSetup place, Phases phases, Spec.Step step) {
        this.place = place;
        this.phases = phases;
        this.step = step;
    }

    /** Lets some users come back; who cannot be spoken to any more has its own reasons. */
    void attempt(List<User> users) throws InterruptedException {
        List<User> there = new ArrayList<>(users.subList(0, step.users()));
        there.removeIf(user -> !user.isConnected());
        List<User> senders = there.stream().filter(user -> user.number() < step.lanes()).toList();
        if (senders.isEmpty() || there.size() < COMPANY || place.stopped()) {
            return;
        }
        // A library may wait for a broker that takes nothing any more.
        Thread trying = Background.start("wirelab-promises", () -> welcomeSome(there, senders));
        trying.join(TimeUnit.NANOSECONDS.toMillis(WHOLE_NS));
        trying.interrupt();
        trying.join(TimeUnit.NANOSECONDS.toMillis(ARRIVAL_NS));
    }

    private void welcomeSome(List<User> there, List<User> senders) {
        long untilNs = System.nanoTime() + WHOLE_NS - ARRIVAL_NS;
        int most = Math.min(Deliveries.PROMISED, there.size());
        try {
            for (int number = 0; number < most && System.nanoTime() < untilNs; number++) {
                User sender = senders.get(draw.nextInt(senders.size()));
                List<User> others = new ArrayList<>(there);
                others.remove(sender);
                Collections.shuffle(others, draw);
                if (isBroken(others.get(0), sender, others.get(1), number)) {
                    place.deliveries().promiseBroken(others.get(0).number());
                    return;
                }
            }
        } catch (Exception why) {
            System.err.println("what a connection promises was not tried any more: " + why);
        }
    }

    /**
     * Tells whether {@code returning} misses what is sent as soon as it is back. What did not come
     * to the others either was not served at all, which is no matter of connecting.
     */
    private boolean isBroken(User returning, User sender, User other, int number) throws Exception {
        Deliveries deliveries = place.deliveries();
        byte[] message = place.messages().compose(sender.number(),
                phases.promised(step, deliveries.promise(number)), phases.bytesOf(step));
        returning.leave();
        returning.connect();
        long nowNs = System.nanoTime();
        Message.stampSent(message, nowNs, nowNs);
        sender.tell(message);
        List<User> all = List.of(returning, sender, other);
        while (!all.stream().allMatch(user -> came(user, sender, number))
                && System.nanoTime() < nowNs + ARRIVAL_NS) {
            Thread.sleep(POLL_MS);
        }
        return came(sender, sender, number) && came(other, sender, number)
                && !came(returning, sender, number);
    }

    private boolean came(User user, User sender, int number) {
        return place.deliveries().came(user.number(), sender.number(), number);
    }
}
