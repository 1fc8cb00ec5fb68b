package io.wirelab.messaging;

import io.wirelab.sdk.Arrivals;
import io.wirelab.sdk.Client;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneSchedule;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The phases of a trial, in each of which the messages of a sender are numbered from 0: settling and
 * what counts, of every step of a closed loop; all of an open one.
 */
final class Phases implements Arrivals {
    /** Messages of the preflight are in no phase. */
    private static final long PREFLIGHT_SEQUENCE = 1_000_000;

    private final List<Spec.Step> steps;
    private final boolean closed;
    private final Deliveries deliveries;
    private final Spec.Timed main;
    private final int perTick;
    private final int preflightSize;
    /** Of an open loop, whose users join while others send. */
    private final Owed owed;
    private final Map<String, Known> known = new HashMap<>();

    /** A step: its place among the steps, and the bytes of its messages. */
    private record Known(int place, int size) {
        long number(boolean counts) {
            return 2L * place + (counts ? 2 : 1);
        }
    }

    /** The messages of a call: the sequence of the first one, bytes of each, and how many. */
    record Numbered(long sequence, int size, int count) {}

    Phases(Spec spec, LaneSchedule schedule, Deliveries deliveries) {
        this.deliveries = deliveries;
        steps = schedule.steps();
        closed = schedule.isClosed();
        Spec.Timed send = spec.operations().get("send");
        main = send != null ? send : spec.operation("echo");
        perTick = Math.toIntExact(spec.parameters().integer("messages", 1));
        for (Spec.Step step : steps) {
            known.put(step.name(), new Known(known.size(), messageBytes(step.parameters())));
        }
        preflightSize = messageBytes(spec.parameters());
        owed = Owed.within(steps, perTick);
    }

    private static int messageBytes(Fields parameters) {
        return parameters.integerWithin("message_bytes", Message.HEADER, Integer.MAX_VALUE - 16);
    }

    /** The messages of a call as their sender numbers them: in its phase, and within that. */
    Numbered numbered(LaneCall call) {
        if (call.phase() == Client.Phase.PREFLIGHT) {
            return new Numbered(PREFLIGHT_SEQUENCE + call.tick(), preflightSize, 1);
        }
        Spec.Step step = call.step();
        Known own = known.get(step.name());
        if (!closed) {
            return new Numbered(call.tick() * perTick, own.size, perTick);
        }
        boolean counts = call.tick() >= countsFrom(step);
        long first = counts ? countsFrom(step) : step.first();
        return new Numbered(own.number(counts) << 32 | (call.tick() - first) * perTick, own.size,
                perTick);
    }

    /** Number of users to whom the messages of a call are owed, where they are for everybody. */
    int owedTo(LaneCall call) {
        return closed ? call.step().users() : owed.to(call.tick() * perTick);
    }

    /** The sequence of a message of {@code step} that follows on those that were due. */
    long promised(Spec.Step step, long number) {
        return closed ? known.get(step.name()).number(true) << 32 | number : number;
    }

    int bytesOf(Spec.Step step) {
        return known.get(step.name()).size;
    }

    private static long countsFrom(Spec.Step step) {
        return step.first() + step.settle();
    }

    /** Begins the only phase of an open loop. */
    void begin() {
        Spec.Step last = steps.get(steps.size() - 1);
        long ticks = last.first() + last.count();
        deliveries.begin(0, true, last, known.get(last.name()).size, last.users(), ticks, perTick,
                ticks * perTick, owed);
    }

    @Override
    public void begin(Spec.Step step, boolean counts) {
        try {
            // What was counted belongs to the step that is still said to be under way.
            deliveries.write(true);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
        long from = counts ? countsFrom(step) : step.first();
        long to = counts ? step.first() + step.count() : countsFrom(step);
        Known own = known.get(step.name());
        deliveries.begin(own.number(counts), counts, step, own.size, step.lanes(),
                to - from, perTick, main.dueWithin(from, to) * perTick,
                Owed.everything(step.users()));
    }

    @Override
    public boolean complete() {
        return deliveries.complete();
    }

    @Override
    public long lastNs() {
        return deliveries.lastNs();
    }

    @Override
    public OptionalLong completedNs(int user) {
        return deliveries.completedNs(user);
    }
}
