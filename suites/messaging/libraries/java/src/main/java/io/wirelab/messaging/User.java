package io.wirelab.messaging;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.Worker;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

/** One user: its link, and the operations it performs on it, recorded. Of one thread at a time. */
final class User {
    private static final byte[] NO_TIMES = new byte[16];

    private final int number;
    private final Workplace place;
    private volatile Link link;
    private long hellos;
    /** Taken by whoever records the operation under way: the user, or who gave it up. */
    private Attempt underWay;

    private record Attempt(Spec.Timed operation, long intendedNs, long startNs) {}

    /** What an echo came to. */
    private record Outcome(Status status, Throwable why) {
        static final Outcome OK = new Outcome(Status.OK, null);
    }

    User(int number, Workplace place) {
        this.number = number;
        this.place = place;
    }

    /** Connects and waits for the first answer, recorded as {@code connect} where that is timed. */
    boolean join(long intendedNs) {
        Spec.Timed operation = place.connect();
        long startNs = System.nanoTime();
        Throwable why = null;
        try {
            connectNow();
        } catch (Throwable thrown) {
            why = thrown;
        }
        if (operation != null) {
            Status status = why == null ? Status.OK : statusOf(why);
            place.worker().recorder().record(intendedNs < 0 ? startNs : intendedNs, startNs,
                    System.nanoTime(), 0, operation.code(), status.code(), number);
        }
        if (why != null) {
            tell(why, "connect", startNs);
        }
        return why == null;
    }

    /** A connection that is accepted but not served is none: the first answer makes it one. */
    void connectNow() throws Exception {
        Link made = place.transport().connect(number, place.inboxOf(number));
        try {
            byte[] hello = place.messages().compose(number, hellos++, Message.HEADER);
            EchoCall call = new EchoCall();
            Message.stampSent(hello, System.nanoTime(), 0);
            made.echo(hello, call);
            call.await(System.nanoTime() + place.limitNs(), place::stopped);
            if (call.failure() instanceof Exception why) {
                throw why;
            }
        } catch (Exception notServed) {
            closeQuietly(made);
            throw notServed;
        }
        link = made;
    }

    /**
     * One echo, recorded; returns when it ended.
     *
     * @param intendedNs when it was due; negative: when it starts
     * @param answered the tick whose answer is to be written; negative: none
     */
    long echo(Spec.Timed operation, long sequence, int size, long intendedNs, long answered,
            String phase) throws IOException {
        begin(operation, intendedNs);
        byte[] message = place.messages().compose(number, sequence, size);
        EchoCall call = new EchoCall();
        long startNs = System.nanoTime();
        Message.stampSent(message, startNs, 0);
        try {
            connectAgain();
            link.echo(message, call);
        } catch (Throwable why) {
            call.failed(why);
        }
        call.await(startNs + place.limitNs(), place::stopped);
        Outcome outcome = judged(call, sequence, size, startNs);
        if (taken() == null) {
            return call.endNs();
        }
        if (!phase.equals("preflight")) {
            long dueNs = intendedNs < 0 ? startNs : intendedNs;
            place.worker().recorder().record(dueNs, startNs, call.endNs(),
                    outcome.status == Status.OK ? 2L * message.length : 0, operation.code(),
                    outcome.status.code(), number);
        }
        if (outcome.why != null) {
            tell(outcome.why, operation.name(), startNs);
            drop(outcome.status);
        }
        if (answered >= 0 && call.answer() != null) {
            place.write(phase, operation.name(), answered, startNs, call.endNs(),
                    answer(call.answer()));
        }
        return call.endNs();
    }

    /** One broadcast, recorded; returns when it ended. Those who get it count what is delivered. */
    long send(Spec.Timed operation, long sequence, int size, long intendedNs, int receivers) {
        begin(operation, intendedNs);
        byte[] message = place.messages().compose(number, sequence, size);
        long startNs = System.nanoTime();
        long dueNs = intendedNs < 0 ? startNs : intendedNs;
        Message.stampSent(message, startNs, dueNs);
        Throwable failure = null;
        try {
            connectAgain();
            link.broadcast(message);
        } catch (Throwable why) {
            failure = why;
        }
        long endNs = System.nanoTime();
        if (taken() == null) {
            return endNs;
        }
        Status status = failure == null ? Status.OK : statusOf(failure);
        place.worker().recorder().record(dueNs, startNs, endNs,
                failure == null ? message.length : 0, operation.code(), status.code(), number);
        if (failure == null) {
            place.deliveries().sent(dueNs, number, receivers);
        } else {
            tell(failure, operation.name(), startNs);
            drop(status);
        }
        return endNs;
    }

    /** Records what is under way as timed out, and leaves; for an operation without an end. */
    void giveUp() {
        Attempt attempt = taken();
        if (attempt != null) {
            place.worker().recorder().record(attempt.intendedNs, attempt.startNs,
                    System.nanoTime(), 0, attempt.operation.code(), Status.TIMEOUT.code(), number);
            tell(new TimeoutException("the call did not return"), attempt.operation.name(),
                    attempt.startNs);
        }
        abandon();
    }

    /** Whether it has a link at the moment. From any thread. */
    boolean isConnected() {
        return link != null;
    }

    /** Leaves as a killed process does. */
    void abandon() {
        Link left = link;
        link = null;
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

    /** From here on it can be given up: on a busy machine a large message takes its time to make. */
    private synchronized void begin(Spec.Timed operation, long intendedNs) {
        long nowNs = System.nanoTime();
        underWay = new Attempt(operation, intendedNs < 0 ? nowNs : intendedNs, nowNs);
    }

    private synchronized Attempt taken() {
        Attempt attempt = underWay;
        underWay = null;
        return attempt;
    }

    private void connectAgain() throws Exception {
        if (link == null) {
            connectNow();
        }
    }

    /** After a loss the next operation connects again, where the library does not by itself. */
    private void drop(Status status) {
        boolean lost = status == Status.DISCONNECTED || status == Status.REFUSED;
        if (lost && !place.transport().reconnectsItself()) {
            leave();
        }
    }

    private Outcome judged(EchoCall call, long sequence, int size, long startNs) {
        if (call.failure() != null) {
            return new Outcome(statusOf(call.failure()), call.failure());
        }
        byte[] reply = call.answer();
        if (!place.messages().isIntact(reply, number, sequence, size)) {
            return new Outcome(Status.WRONG_ANSWER, new WrongMessage("another message came back"));
        }
        long servedNs = Message.servedNs(reply);
        if (place.stamped() && (servedNs < startNs || servedNs > call.endNs())) {
            return new Outcome(Status.WRONG_ANSWER, new WrongMessage(
                    "the server did not answer between the call's start and its end"));
        }
        return Outcome.OK;
    }

    private Status statusOf(Throwable why) {
        return why instanceof TimeoutException ? Status.TIMEOUT : place.transport().statusOf(why);
    }

    private void tell(Throwable why, String operation, long startNs) {
        place.worker().events().error(Fault.ofCall(why, ""), operation, startNs, System.nanoTime());
    }

    private static Map<String, Object> answer(byte[] reply) {
        CRC32 sum = new CRC32();
        sum.update(reply, 0, 16);
        sum.update(NO_TIMES);
        sum.update(reply, Message.HEADER, reply.length - Message.HEADER);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("user", Message.user(reply));
        answer.put("sequence", Message.sequence(reply));
        answer.put("size", reply.length);
        answer.put("crc32", String.format("%08x", sum.getValue()));
        answer.put("served_ns", Message.servedNs(reply));
        return answer;
    }

    private static void closeQuietly(Link link) {
        try {
            link.close();
        } catch (Exception why) {
            System.err.println("a link could not be closed: " + why);
        }
    }
}
