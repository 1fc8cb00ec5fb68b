package io.wirelab.messaging;

import io.wirelab.sdk.Arrivals;
import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Joining;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneSchedule;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Status;
import io.wirelab.sdk.Ticker;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** Work of users in their lanes: {@code echo}, {@code send}, and connect. */
final class Users implements LaneWork<Users.Asked, Users.Asked> {
    private static final byte[] NO_TIMES = new byte[16];
    private static final long POLL_NS = 1_000_000;

    private final WorkerSetup place;
    private final Phases phases;
    private final boolean isClosed;
    private final List<User> users;
    private volatile boolean lost;

    /** The messages of a call, and what the echo of the only one ends. */
    record Asked(Phases.Numbered numbered, List<byte[]> messages, EchoCall echo) {}

    Users(WorkerSetup place, Phases phases, LaneSchedule schedule) {
        this.place = place;
        this.phases = phases;
        isClosed = schedule.isClosed();
        users = IntStream.range(0, schedule.users())
                .mapToObj(number -> new User(number, place)).toList();
    }

    /** Every user of the trial. */
    List<User> all() {
        return users;
    }

    @Override
    public List<String> operations() {
        return List.of("echo", "send");
    }

    @Override
    public void starts(long startNs) {
        place.deliveries().startAt(startNs);
        writeIntervals();
        if (!isClosed) {
            phases.begin();
            loseOne(startNs + place.spec().schedule().firstNs());
        }
    }

    @Override
    public Asked prepare(LaneCall call) {
        Phases.Numbered numbered = phases.numbered(call);
        List<byte[]> messages = IntStream.range(0, numbered.count())
                .mapToObj(number -> place.messages().compose(call.lane(),
                        numbered.sequence() + number, numbered.size()))
                .toList();
        return new Asked(numbered, messages, new EchoCall());
    }

    @Override
    public Asked call(Asked asked, LaneCall call) throws Exception {
        User user = users.get(call.lane());
        if (isSend(call)) {
            user.send(asked.messages, call);
        } else {
            user.echo(asked.messages.get(0), asked.echo, call);
        }
        return asked;
    }

    private static boolean isSend(LaneCall call) {
        return call.operation().name().equals("send");
    }

    @Override
    public Outcome judge(LaneCall call, Asked asked) {
        if (isSend(call)) {
            // Whoever is gone is not waited for; of a queue each message is for one.
            int receivers = place.queues() ? 1
                    : place.receivers(phases.owedTo(call)) - (lost ? 1 : 0);
            int count = asked.numbered.count();
            place.deliveries().sent(call.intendedNs(), call.lane(), receivers * count);
            return new Outcome(Status.OK, List.of(), (long) asked.numbered.size() * count, null);
        }
        byte[] message = asked.echo.answer();
        if (!place.messages().isIntact(message, call.lane(), asked.numbered.sequence(),
                asked.numbered.size())) {
            return wrong("another message came back");
        }
        long servedNs = Message.servedNs(message);
        if (place.stamped() && (servedNs < call.startNs() || servedNs > call.endNs())) {
            return wrong("the server did not answer between the call's start and its end");
        }
        return new Outcome(Status.OK, List.of(), 2L * message.length, () -> answer(message));
    }

    private static Outcome wrong(String what) {
        return Outcome.failed(Status.WRONG_ANSWER,
                new Fault(Fault.Scope.CALL, "WrongMessage", "", what));
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

    /** After a loss the next operation connects again, where the library does not by itself. */
    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        Status status = thrown instanceof TimeoutException ? Status.TIMEOUT
                : place.transport().statusOf(thrown);
        boolean isLost = status == Status.DISCONNECTED || status == Status.REFUSED;
        if (isLost && !place.transport().reconnectsItself()) {
            users.get(call.lane()).leave();
        }
        return Outcome.failed(status, Fault.ofCall(thrown, ""));
    }

    @Override
    public void abandon(int lane) {
        users.get(lane).abandon();
    }

    /** Joining of users; nobody joins where connecting is part of the first call. */
    @Override
    public Optional<Joining> joining() {
        boolean timed = place.spec().parameters().text("connect", "before").equals("timed");
        return timed ? Optional.empty() : Optional.of(call -> users.get(call.lane()).connect());
    }

    @Override
    public Optional<Arrivals> arrivals() {
        return Optional.of(phases);
    }

    /** The user of a scenario that dies while the others go on. */
    private void loseOne(long zeroNs) {
        long afterMs = place.spec().parameters().integer("client_dies_ms", 0);
        if (afterMs == 0 || users.size() < 2) {
            return;
        }
        Background.start("wirelab-loss", () -> {
            User dying = users.get(1);
            // On a busy machine it may not be there yet, and would only come afterwards.
            boolean there = Ticker.until(zeroNs + afterMs * 1_000_000, place::stopped);
            while (there && !dying.isReadyToDie()) {
                there = Ticker.until(System.nanoTime() + POLL_NS, place::stopped);
            }
            if (there) {
                lost = true;
                dying.abandon();
            }
        });
    }

    /** Old seconds go to the file while new ones are counted: memory stays bounded. */
    private void writeIntervals() {
        Background.start("wirelab-intervals", () -> {
            try {
                while (true) {
                    Thread.sleep(1_000);
                    place.deliveries().write(false);
                }
            } catch (InterruptedException | IOException ended) {
                System.err.println("intervals are no longer written: " + ended);
            }
        });
    }
}
