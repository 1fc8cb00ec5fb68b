package io.wirelab.messaging;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Times at which the messages of a phase were handed over and due: what a server makes of the times
 * in a message is not believed. Those of one sender and tick have the same. From any thread.
 */
final class SendTimes {
    private final AtomicLongArray times;
    private final long ticks;
    private final int perTick;

    SendTimes(int senders, long ticks, int perTick) {
        times = new AtomicLongArray(Math.toIntExact(2 * senders * ticks));
        this.ticks = ticks;
        this.perTick = perTick;
    }

    private int at(int sender, byte[] message) {
        int number = (int) Message.sequence(message);
        return (int) (2 * (sender * ticks + number / perTick));
    }

    /** Takes the times of a message that is handed over. */
    void note(int sender, byte[] message) {
        int at = at(sender, message);
        times.set(at, Message.sentNs(message));
        times.set(at + 1, Message.servedNs(message));
    }

    /** Tells whether a message of the phase came with the times that it was handed over with. */
    boolean areOf(int sender, byte[] message) {
        int at = at(sender, message);
        return times.get(at) == Message.sentNs(message)
                && times.get(at + 1) == Message.servedNs(message);
    }
}
