package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Credentials;
import io.wirelab.messaging.Login;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.util.HashMap;
import java.util.Map;

/** Configuration of the clients of a trial; what they all share, and what each kind adds. */
final class KafkaSettings {
    private final Fields tuning;
    private final Login.Place broker;
    private final int limitMs;
    /** Few users with much to send each, rather than hundreds. */
    private final boolean streams;

    KafkaSettings(Spec spec) {
        tuning = spec.parameters();
        streams = tuning.has("messages");
        broker = Login.placeOf(spec.endpoints().text("server"));
        limitMs = spec.limits().operationMs();
    }

    int limitMs() {
        return limitMs;
    }

    Map<String, Object> ofAdmin(int patienceMs) {
        Map<String, Object> settings = common();
        settings.put("request.timeout.ms", patienceMs);
        settings.put("default.api.timeout.ms", patienceMs);
        return settings;
    }

    Map<String, Object> ofProducer() {
        Map<String, Object> settings = common();
        settings.put("acks", tuning.text("acks"));
        // A failure is told instead of repaired: no duplicates, and no order that a retry changes.
        settings.put("enable.idempotence", false);
        settings.put("retries", 0);
        long lingerMs = streams ? tuning.integer("stream_linger_ms") : tuning.integer("linger_ms");
        settings.put("linger.ms", lingerMs);
        settings.put("buffer.memory", streams
                ? tuning.integer("stream_producer_buffer_bytes")
                : tuning.integer("producer_buffer_bytes"));
        settings.put("max.block.ms", limitMs);
        settings.put("delivery.timeout.ms", Math.toIntExact(limitMs + lingerMs));
        return settings;
    }

    Map<String, Object> ofConsumer() {
        Map<String, Object> settings = common();
        settings.put("default.api.timeout.ms", limitMs);
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "latest");
        settings.put("allow.auto.create.topics", false);
        settings.put("max.partition.fetch.bytes",
                streams ? tuning.integerWithin("stream_partition_fetch_bytes", 1, Integer.MAX_VALUE)
                        : tuning.integerWithin("partition_fetch_bytes", 1, Integer.MAX_VALUE));
        return settings;
    }

    private Map<String, Object> common() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", broker.server());
        broker.credentials().ifPresent(said -> logIn(settings, said));
        settings.put("request.timeout.ms", limitMs);
        // Of hundreds of clients in one process nobody reads the figures.
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", false);
        return settings;
    }

    private static void logIn(Map<String, Object> settings, Credentials said) {
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", "PLAIN");
        settings.put("sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username="
                        + quoted(said.user()) + " password=" + quoted(said.password()) + ";");
    }

    private static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
