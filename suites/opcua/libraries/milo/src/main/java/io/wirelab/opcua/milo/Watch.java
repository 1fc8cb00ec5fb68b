package io.wirelab.opcua.milo;

import io.wirelab.sdk.Client.Phase;
import io.wirelab.sdk.Client.Turn;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;

/** An operation that ends when its caller has the values of the change at its tick. */
abstract class Watch {
    static final String NOTIFICATION = "notification";
    static final String POLL = "poll";

    final long intervalNs;
    final NodesToRead read;
    final Changes changes;
    /** All tags, in order. */
    final int[] tags;

    private Watch(Spec spec, int items) {
        intervalNs = spec.parameters().integer("interval_ns");
        read = NodesToRead.ofTags(items, false);
        changes = new Changes(items);
        tags = IntStream.range(0, items).toArray();
    }

    /** The way in which this spec has the tags watched; null where it has none. */
    static Watch of(Spec spec) {
        Spec.Timed notification = spec.operations().get(NOTIFICATION);
        Spec.Timed poll = spec.operations().get(POLL);
        if (notification != null) {
            return new Subscribed(spec, notification.items());
        }
        return poll == null ? null : new Polled(spec, poll.items());
    }

    /** Watches from now on. May block. */
    abstract void begin(OpcUaClient client) throws UaException;

    /** The values of the turn's change, every item's status looked at. */
    CompletionStage<Outcome> await(Turn turn) {
        long number = turn.phase() == Phase.PREFLIGHT ? 0 : turn.index() + 1;
        return changes.take(number).thenApply(read::judge);
    }

    /** A subscription with a monitored item for each tag, sampled as often as it publishes. */
    private static final class Subscribed extends Watch {
        /** Values of each tag that the server keeps for a client that is behind. */
        private static final int QUEUE = 20;

        Subscribed(Spec spec, int items) {
            super(spec, items);
        }

        @Override
        void begin(OpcUaClient client) throws UaException {
            MiloVersion.subscribe(client, tags, intervalNs / 1e6, QUEUE, changes);
        }
    }

    /** A Read of all tags again and again; what differs from the one before is a change. */
    private static final class Polled extends Watch {
        private List<Object> known = List.of();

        Polled(Spec spec, int items) {
            super(spec, items);
        }

        @Override
        void begin(OpcUaClient client) {
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "poll");
                thread.setDaemon(true);
                return thread;
            });
            timer.scheduleAtFixedRate(() -> poll(client), 0, intervalNs, TimeUnit.NANOSECONDS);
        }

        private void poll(OpcUaClient client) {
            try {
                List<DataValue> values = read.fetch(client).join();
                List<Object> found = new ArrayList<>(values.size());
                values.forEach(value -> found.add(value.getValue().getValue()));
                if (!found.equals(known)) {
                    known = found;
                    changes.put(tags, values);
                }
            } catch (CompletionException failed) {
                // Who waits for a change hears that none comes; the next poll may find it.
                System.err.println("reading the tags failed, the next try follows: " + failed.getCause());
            }
        }
    }
}
