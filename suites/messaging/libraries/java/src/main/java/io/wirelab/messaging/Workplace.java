package io.wirelab.messaging;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What all users of a worker share. */
final class Workplace {
    private final Worker worker;
    private final Transport transport;
    private final Message messages;
    private final Deliveries deliveries;
    private final boolean stamped;
    private final List<User> users = new ArrayList<>();

    Workplace(Worker worker, Transport transport, Message messages, Deliveries deliveries) {
        this.worker = worker;
        this.transport = transport;
        this.messages = messages;
        this.deliveries = deliveries;
        Fields facts = worker.spec().facts();
        stamped = facts.keys().stream().map(facts::object)
                .anyMatch(said -> said.has("stamps") && said.flag("stamps"));
    }

    Worker worker() {
        return worker;
    }

    Spec spec() {
        return worker.spec();
    }

    Transport transport() {
        return transport;
    }

    Message messages() {
        return messages;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** Whether what answers is ours and says when it did. */
    boolean stamped() {
        return stamped;
    }

    boolean stopped() {
        return worker.commands().stopped();
    }

    long limitNs() {
        return spec().limits().operationNs();
    }

    /** The operation of joining; null where it is not timed. */
    Spec.Timed connect() {
        return spec().operations().get("connect");
    }

    /** The operation that lanes perform: {@code echo} or {@code send}. */
    Spec.Timed main() {
        Spec.Timed send = spec().operations().get("send");
        return send != null ? send : spec().operation("echo");
    }

    boolean broadcasts() {
        return spec().operations().containsKey("send");
    }

    /** All users so far; {@code number} more are made when they are needed. */
    List<User> users(int number) {
        while (users.size() < number) {
            users.add(new User(users.size(), this));
        }
        return users;
    }

    /** What takes a user's deliveries; the slow consumer of a scenario takes its time. */
    Inbox inboxOf(int user) {
        long pauseMs = spec().parameters().integer("slow_consumer_ms", 0);
        if (user != 1 || pauseMs == 0) {
            return message -> deliveries.delivered(user, message);
        }
        return message -> {
            try {
                Thread.sleep(pauseMs);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            deliveries.delivered(user, message);
        };
    }

    static int messageBytes(Fields parameters) {
        return parameters.integerWithin("message_bytes", Message.HEADER, Integer.MAX_VALUE - 16);
    }

    synchronized void write(String phase, String operation, long tick, long startNs, long endNs,
            Map<String, ?> answer) throws IOException {
        worker.answers().write(phase, operation, tick, startNs, endNs, answer);
    }
}
