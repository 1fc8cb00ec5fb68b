package io.wirelab.messaging;

import io.wirelab.sdk.BySecond;
import io.wirelab.sdk.Intervals;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Exact counts of what is broadcast, and how long it took: memory grows with users and messages of a
 * step by a bit each, with deliveries not at all. Receivers are spread over a few stripes, so that
 * those on different threads seldom wait for each other.
 */
final class Deliveries implements AutoCloseable {
    private static final int STRIPES = 8;

    /** A second this old is written; what still comes for it gets a line of its own. */
    private static final long WRITTEN_AFTER_S = 4;

    /** Messages of a sender beyond those of its phase: it is only looked whether they came. */
    static final int PROMISED = 8;

    private final Message messages;
    private final Intervals file;
    private final boolean open;
    /** Users who share a queue; 0 where everybody gets everything. */
    private final int competing;
    private final List<BySecond<Tally>> stripes;
    /** True where anybody sends to others at all. */
    private final boolean telling;
    private boolean closed;
    private final AtomicLong lastNs = new AtomicLong();
    private final AtomicLong expected = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong wrongBefore = new AtomicLong();
    private final Silences silences = new Silences();
    private final Set<Promised> promised = ConcurrentHashMap.newKeySet();
    private boolean allCame = true;
    private volatile DeliveryPhase phase = DeliveryPhase.NONE;

    /**
     * Phase that is counted: the messages of one step, or of its settling, which only has to end.
     */
    private record DeliveryPhase(long number, boolean counts, String step, int size,
            long perSender, long perReceiver, boolean followsWhole, Receiver[] receivers,
            Owed owed, SendTimes times) {
        static final DeliveryPhase NONE = new DeliveryPhase(-1, false, "", 0, 0, 0, true,
                new Receiver[0], Owed.everything(0), new SendTimes(0, 0, 1));
    }

    /** A message that somebody was promised, and got. */
    private record Promised(int user, int sender, long number) {}

    /** Messages that one user has got in a phase. Guarded by its stripe. */
    private static final class Receiver {
        final BitSet seen = new BitSet();
        final Silences.Together together = new Silences.Together();
        final int[] highest;
        long distinct;
        volatile long lastNs;

        Receiver(int senders) {
            highest = new int[senders];
            Arrays.fill(highest, -1);
        }
    }

    Deliveries(Message messages, Path path, boolean open, boolean telling, int competing)
            throws IOException {
        this.messages = messages;
        this.telling = telling;
        this.open = open;
        this.competing = competing;
        file = new Intervals(path);
        stripes = Stream.generate(() -> new BySecond<>(() -> new Tally(open, competing)))
                .limit(STRIPES).toList();
    }

    void startAt(long tick0Ns) {
        for (BySecond<Tally> stripe : stripes) {
            synchronized (stripe) {
                stripe.startAt(tick0Ns);
            }
        }
    }

    /**
     * From here on the messages of phase {@code number} count (or only pass, in settling).
     *
     * @param ticks at each of which a sender has {@code perTick} messages, numbered from 0
     * @param due how many each sender is to send
     * @param owed to whom each of them is owed
     */
    void begin(long number, boolean counts, Spec.Step step, int size, int senders, long ticks,
            int perTick, long due, Owed owed) {
        Receiver[] receivers = new Receiver[step.users()];
        Arrays.setAll(receivers, user -> new Receiver(senders));
        allCame &= complete();
        expected.set(0);
        received.set(0);
        lastNs.set(System.nanoTime());
        phase = new DeliveryPhase(number, counts, step.name(), size, ticks * perTick, due * senders,
                allCame, receivers, owed,
                new SendTimes(telling ? senders : 0, ticks, perTick));
        if (counts && wrongBefore.get() > 0) {
            addWrong(0, lastNs.get(), wrongBefore.getAndSet(0));
        }
    }

    /** A sender's messages of a tick, of which this is one, are handed over. */
    void handsOver(int sender, byte[] message) {
        phase.times.note(sender, message);
        silences.handsOver();
    }

    /** The call that handed messages over has ended. */
    void handedOver() {
        silences.handedOver(System.nanoTime());
    }

    /** A broadcast of the phase was handed over at {@code sentNs}: {@code receivers} are to get it. */
    void sent(long sentNs, int sender, int receivers) {
        DeliveryPhase now = phase;
        expected.addAndGet(receivers);
        if (now.counts) {
            BySecond<Tally> stripe = stripes.get(sender % STRIPES);
            synchronized (stripe) {
                stripe.at(sentNs).expected += receivers;
            }
        }
    }

    /** Counts what {@code user} has got. */
    void delivered(int user, byte[] message) {
        taken(user, message, false);
    }

    /**
     * Counts what {@code user} has got, of a queue perhaps {@code again}: as the broker says, not
     * first.
     */
    void taken(int user, byte[] message, boolean again) {
        long nowNs = System.nanoTime();
        DeliveryPhase now = phase;
        int sender = Message.user(message);
        long sequence = sender < 0 ? -1 : Message.sequence(message);
        if (sender < 0 || !messages.isIntact(message, sender, sequence, now.size)) {
            wrong(now, user, nowNs);
        } else if (sequence >>> 32 == now.number) {
            count(now, user, sender, (int) sequence, message, nowNs, again);
        } else if (open || sequence >>> 32 == 0 || sequence >>> 32 > now.number) {
            wrong(now, user, nowNs); // nobody has sent it to everybody
        } else if (now.counts && now.followsWhole) {
            BySecond<Tally> stripe = stripes.get(user % STRIPES);
            synchronized (stripe) {
                stripe.at(nowNs).duplicates++;
            }
        }
    }

    private void count(DeliveryPhase now, int user, int sender, int number, byte[] message, long nowNs,
            boolean redelivered) {
        Receiver receiver = user < now.receivers.length ? now.receivers[user] : null;
        if (receiver == null || sender >= receiver.highest.length
                || number >= now.perSender + PROMISED) {
            wrong(now, user, nowNs);
            return;
        }
        if (number >= now.perSender) {
            promised.add(new Promised(user, sender, number));
            return;
        }
        if (!now.times.areOf(sender, message)) {
            wrong(now, user, nowNs);
            return;
        }
        long silenceNs = silences.endedBy(nowNs);
        if (competing == 0 && user >= now.owed.to(number)) {
            return; // it was still joining, and may get this or not
        }
        // A server knows who has sent a message, and could serve the sender before the others.
        boolean isTimed = user != sender || now.receivers.length == 1 || competing > 0;
        // Of a queue a message is one user's: that it came is kept for all of them together.
        BitSet seen = competing > 0 ? now.receivers[0].seen : receiver.seen;
        BySecond<Tally> stripe = stripes.get(competing > 0 ? 0 : user % STRIPES);
        synchronized (stripe) {
            int bit = Math.toIntExact(sender * now.perSender + number);
            boolean again = seen.get(bit);
            boolean late = number < receiver.highest[sender] && !redelivered;
            if (!again) {
                seen.set(bit);
                receiver.distinct++;
                receiver.highest[sender] = Math.max(receiver.highest[sender], number);
            }
            if (now.counts) {
                long sentNs = Message.sentNs(message);
                long dueNs = open ? Message.servedNs(message) : sentNs;
                Tally tally = stripe.at(dueNs);
                tally.redelivered += redelivered ? 1 : 0;
                if (again) {
                    tally.duplicates++;
                } else {
                    tally.received++;
                    tally.gotBy(user);
                    tally.reordered += late ? 1 : 0;
                    tally.bytes += message.length;
                    tally.held += open ? receiver.together.heldFor(silenceNs, sentNs, nowNs) : 0;
                    if (isTimed) {
                        tally.took(nowNs - sentNs, nowNs - dueNs);
                    }
                }
            }
            receiver.lastNs = nowNs;
            if (!again) {
                received.incrementAndGet();
            }
        }
        lastNs.accumulateAndGet(nowNs, Math::max);
    }

    /** Counts what comes wrong; before anything counts, it belongs to what does so next. */
    private void wrong(DeliveryPhase now, int user, long nowNs) {
        if (now.counts) {
            addWrong(user, nowNs, 1);
        } else {
            wrongBefore.incrementAndGet();
        }
    }

    private void addWrong(int user, long atNs, long count) {
        BySecond<Tally> stripe = stripes.get(user % STRIPES);
        synchronized (stripe) {
            stripe.at(atNs).wrong += count;
        }
    }

    /** The number within its phase of the message that a sender promises as {@code number}. */
    long promise(int number) {
        return phase.perSender + number;
    }

    /** Tells whether {@code user} has got what was promised as {@code number}. */
    boolean came(int user, int sender, int number) {
        return promised.contains(new Promised(user, sender, promise(number)));
    }

    /** Counts a user who did not get what it was promised, as of the last that came. */
    void promiseBroken(int user) {
        addWrong(user, lastNs.get(), 1);
    }

    /** Tells whether everything that was handed over so far has come. */
    boolean complete() {
        return received.get() >= expected.get();
    }

    /** Time at which the last delivery came, or the phase began. */
    long lastNs() {
        return lastNs.get();
    }

    /** Time at which {@code user} had got every message of the phase; empty: it has not. */
    OptionalLong completedNs(int user) {
        DeliveryPhase now = phase;
        Receiver receiver = now.receivers[user];
        synchronized (stripes.get(user % STRIPES)) {
            return receiver.distinct >= now.perReceiver ? OptionalLong.of(receiver.lastNs)
                    : OptionalLong.empty();
        }
    }

    /** Writes seconds that are a few old, or {@code all}. */
    synchronized void write(boolean all) throws IOException {
        if (closed) {
            return;
        }
        long nowNs = System.nanoTime();
        String step = phase.step;
        for (BySecond<Tally> stripe : stripes) {
            SortedMap<Long, Tally> due;
            // Taken out first: deliveries are not to wait for the disk.
            synchronized (stripe) {
                due = all ? stripe.all() : stripe.settled(nowNs, WRITTEN_AFTER_S);
            }
            for (Map.Entry<Long, Tally> second : due.entrySet()) {
                file.write(second.getValue().interval(second.getKey(), step));
            }
        }
        file.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        write(true);
        closed = true;
        file.close();
    }
}
