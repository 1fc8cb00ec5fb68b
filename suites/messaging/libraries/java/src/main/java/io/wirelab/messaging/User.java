package io.wirelab.messaging;

import io.wirelab.sdk.LaneCall;
import java.io.IOException;
import java.util.List;

/** One user: its link, and what it does on it. Of one thread at a time. */
final class User {
    private final int number;
    private final WorkerSetup place;
    private volatile Link link;
    private volatile Competitor competitor;
    private long hellos;

    User(int number, WorkerSetup place) {
        this.number = number;
        this.place = place;
    }

    /** A connection that is accepted but not served is none: the first answer makes it one. */
    Link connect() throws Exception {
        Link made = place.transport().connect(number, place.inboxOf(number));
        try {
            made.join();
            long sequence = hellos++;
            byte[] hello = place.messages().compose(number, sequence, Message.HEADER);
            EchoCall echo = new EchoCall();
            Message.stampSent(hello, System.nanoTime(), 0);
            made.echo(hello, echo);
            echo.await(System.nanoTime() + place.limitNs(), place::stopped);
            echo.throwFailure();
            if (!place.messages().isIntact(echo.answer(), number, sequence, Message.HEADER)) {
                throw new IOException("the first answer is not what was asked for");
            }
            if (place.queues()) {
                competitor = place.competitor(number);
                made.compete(competitor);
            }
        } catch (Exception notServed) {
            closeQuietly(made);
            throw notServed;
        }
        link = made;
        return made;
    }

    /** Sends a message that comes back; the call ended when that was there. */
    void echo(byte[] message, EchoCall echo, LaneCall call) throws Exception {
        Message.stampSent(message, call.startNs(), 0);
        try {
            linked().echo(message, echo);
        } catch (Throwable why) {
            echo.failed(why);
        }
        echo.await(call.startNs() + place.limitNs(), place::stopped);
        call.endedAt(echo.endNs());
        echo.throwFailure();
    }

    /**
     * Sends messages to everybody, or to the queue that all share. Those who get them count what is
     * delivered.
     */
    void send(List<byte[]> messages, LaneCall call) throws Exception {
        for (byte[] message : messages) {
            Message.stampSent(message, call.startNs(), call.intendedNs());
        }
        place.deliveries().handsOver(number, messages.get(0));
        try {
            handOver(messages);
        } finally {
            place.deliveries().handedOver();
        }
    }

    private void handOver(List<byte[]> messages) throws Exception {
        if (place.queues()) {
            for (byte[] message : messages) {
                linked().enqueue(message);
            }
        } else if (place.streams()) {
            linked().stream(messages);
        } else {
            linked().broadcast(messages.get(0));
        }
    }

    private Link linked() throws Exception {
        Link made = link;
        return made == null ? connect() : made;
    }

    int number() {
        return number;
    }

    boolean isConnected() {
        return link != null;
    }

    /** Sends a message of its own to everybody; nothing is due any more. */
    void tell(byte[] message) throws Exception {
        linked().broadcast(message);
    }

    /**
     * Tells whether it is where it is to die: connected, and of those who share a queue at work.
     */
    boolean isReadyToDie() {
        Competitor working = competitor;
        if (working != null) {
            working.doom();
        }
        return link != null && (working == null || working.hasFallen());
    }

    /** Leaves as a killed process does. From any thread. */
    void abandon() {
        Link left = link;
        link = null;
        if (competitor != null) {
            competitor.die();
        }
        try {
            if (left != null) {
                left.abandon();
            }
        } catch (Exception why) {
            System.err.println("user " + number + " could not be abandoned: " + why);
        }
    }

    /** Leaves. */
    void leave() {
        Link left = link;
        link = null;
        if (left != null) {
            closeQuietly(left);
        }
    }

    private static void closeQuietly(Link link) {
        try {
            link.close();
        } catch (Exception why) {
            System.err.println("a link could not be closed: " + why);
        }
    }
}
