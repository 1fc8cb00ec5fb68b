package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.messaging.Waiting;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.utils.AppInfoParser;

/** A producer and a consumer for each user; topics that exist before the first one connects. */
final class KafkaTransport implements Transport {
    /** Share of the time for getting ready that may be spent on a broker that is slow to answer. */
    private static final int READY_SHARE = 4;

    private final KafkaSettings settings;
    private final int users;
    private boolean provided;
    private final String echoes;
    private final String broadcasts;

    public static void main(String[] arguments) {
        Messaging.main(arguments, KafkaTransport::new, null, null);
    }

    KafkaTransport(Spec spec) throws Exception {
        settings = new KafkaSettings(spec);
        users = Messaging.mostUsers(spec);
        String name = topics(spec);
        echoes = name + "-echoes";
        broadcasts = name + "-broadcasts";
        int patienceMs = Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(
                spec.limits().readyNs() / READY_SHARE));
        try {
            provide(Math.max(patienceMs, settings.limitMs()));
        } catch (KafkaException failed) {
            System.err.println("topics could not be made beforehand, the first client makes them: "
                    + failed);
        }
    }

    /**
     * Beginning of the names of topics: as who removes them from a user's broker says, else of this
     * process alone, so that what another one left in a broker that lives on is nobody's.
     */
    private static String topics(Spec spec) {
        return spec.facts().objectOrEmpty("server").text("topics", "wirelab-" + UUID.randomUUID());
    }

    /** Once: a partition for the echoes of each user, and one for what goes to everybody. */
    private synchronized void provide(int limitMs) throws Exception {
        if (provided) {
            return;
        }
        Optional<Short> copies = Optional.of((short) 1);
        try (Admin admin = Admin.create(settings.ofAdmin(limitMs))) {
            // The library itself gives up at the limit.
            Waiting.result(admin.createTopics(List.of(
                    new NewTopic(echoes, Optional.of(users), copies),
                    new NewTopic(broadcasts, Optional.of(1), copies))).all(), Long.MAX_VALUE);
        } catch (TopicExistsException already) {
            // Another process of the trial has made them.
        }
        provided = true;
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "kafka-clients", "version", AppInfoParser.getVersion());
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        provide(settings.limitMs());
        TopicPartition own = new TopicPartition(echoes, user);
        TopicPartition all = new TopicPartition(broadcasts, 0);
        return inbox != null ? new ReceivingUser(settings, own, all, inbox)
                : new CallingUser(settings, own, all);
    }

    /** Clients connect again by themselves, for as long as they are open. */
    @Override
    public boolean reconnectsItself() {
        return true;
    }

    @Override
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof TimeoutException) {
            return Status.TIMEOUT;
        }
        if (thrown instanceof DisconnectException || thrown instanceof NetworkException
                || thrown instanceof WakeupException) {
            return Status.DISCONNECTED;
        }
        return thrown instanceof KafkaException ? Status.ERROR
                : Transport.super.statusOf(thrown);
    }
}
