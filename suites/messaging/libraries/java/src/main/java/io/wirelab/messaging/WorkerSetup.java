package io.wirelab.messaging;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Worker;

/** Parts that all users of a worker share. */
final class WorkerSetup {
    private final Worker worker;
    private final Transport transport;
    private final Message messages;
    private final Deliveries deliveries;
    private final boolean stamped;

    WorkerSetup(Worker worker, Transport transport, Message messages, Deliveries deliveries) {
        this.worker = worker;
        this.transport = transport;
        this.messages = messages;
        this.deliveries = deliveries;
        Fields facts = worker.spec().facts();
        stamped = facts.keys().stream().map(facts::object)
                .anyMatch(said -> said.has("stamps") && said.flag("stamps"));
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

    /** Tells whether what answers is ours and says when it did. */
    boolean stamped() {
        return stamped;
    }

    /** Tells whether a tick is one of a stream, whose messages do not wait for each other. */
    boolean streams() {
        return spec().parameters().has("messages");
    }

    /** Tells whether users share a queue, of which each message is for one of them. */
    boolean queues() {
        return spec().parameters().has("work_ms");
    }

    /**
     * Tells whether the promise of a connection is tried: nobody dies here, or takes its time.
     */
    boolean promises() {
        return spec().operations().containsKey("send") && !queues()
                && !spec().parameters().has("receivers")
                && spec().parameters().integer("client_dies_ms", 0) == 0
                && spec().parameters().integer("slow_consumer_ms", 0) == 0;
    }

    /** Number of users among so many that get what is sent to all: the first ones. */
    int receivers(int users) {
        return Math.toIntExact(Math.min(users, spec().parameters().integer("receivers", users)));
    }

    /** Competitor for a user's messages of the queue that all share. */
    Competitor competitor(int user) {
        return new Competitor(deliveries, user, spec().parameters().integer("work_ms"));
    }

    boolean stopped() {
        return worker.commands().stopped();
    }

    long limitNs() {
        return spec().limits().operationNs();
    }

    /**
     * Inbox for a user's deliveries, null where nobody sends to all or this user gets nothing of
     * it; the slow consumer of a scenario takes its time.
     */
    Inbox inboxOf(int user) {
        boolean isTold = spec().operations().containsKey("send") && !queues();
        if (!isTold || user >= receivers(user + 1)) {
            return null;
        }
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
}
