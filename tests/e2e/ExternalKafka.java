import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Things that somebody else has on a Kafka: put there, and looked at without wirelab. */
public final class ExternalKafka {
    private static final TopicPartition THEIRS = new TopicPartition("theirs", 0);

    private ExternalKafka() {}

    /** Wants {@code put} or {@code look}, HOST:PORT, and a password; prints topics and records. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", arguments[1],
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule"
                        + " required username=\"me\" password=\"" + arguments[2] + "\";");
        if (arguments[0].equals("put")) {
            put(settings);
        }
        try (Admin admin = Admin.create(settings)) {
            System.out.println(new TreeSet<>(admin.listTopics().names().get()));
        }
        System.out.println(records(settings));
    }

    private static void put(Map<String, Object> settings) throws Exception {
        try (Admin admin = Admin.create(settings)) {
            NewTopic topic = new NewTopic(THEIRS.topic(), Optional.of(1), Optional.empty());
            admin.createTopics(List.of(topic)).all().get();
        }
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(THEIRS.topic(), "kept")).get();
        }
    }

    private static List<String> records(Map<String, Object> settings) {
        List<String> found = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(THEIRS));
            consumer.seekToBeginning(List.of(THEIRS));
            long end = consumer.endOffsets(List.of(THEIRS)).get(THEIRS);
            while (consumer.position(THEIRS) < end) {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofSeconds(1))) {
                    found.add(one.value());
                }
            }
        }
        return found;
    }
}
