package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Link;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer and a consumer. A consumer is for one thread at a time, and the one thing that others
 * may do is to wake it up.
 */
abstract class KafkaUser implements Link {
    private final TopicPartition own;
    private final TopicPartition all;
    private final Duration limit;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long calls;

    /**
     * Reads {@code partitions} from where they end now, and knows that place on return.
     *
     * @param own the partition of this user's echoes
     * @param all the partition of what goes to everybody
     */
    KafkaUser(KafkaSettings settings, TopicPartition own, TopicPartition all,
            List<TopicPartition> partitions) {
        this.own = own;
        this.all = all;
        limit = Duration.ofMillis(settings.limitMs());
        consumer = new KafkaConsumer<>(settings.ofConsumer(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        try {
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            // Seeking is put off until a place is asked for.
            partitions.forEach(partition -> consumer.position(partition, limit));
            producer = new KafkaProducer<>(settings.ofProducer(), new ByteArraySerializer(),
                    new ByteArraySerializer());
        } catch (RuntimeException failed) {
            consumer.close();
            throw failed;
        }
    }

    final KafkaConsumer<byte[], byte[]> consumer() {
        return consumer;
    }

    final Duration limit() {
        return limit;
    }

    /** The number of the next echo; it tells an answer from one before that came too late. */
    final long nextNumber() {
        return ++calls;
    }

    final void sendEcho(long number, byte[] message, Consumer<Exception> failed) {
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        send(new ProducerRecord<>(own.topic(), own.partition(), key, message), failed);
    }

    static long numberOf(ConsumerRecord<byte[], byte[]> echo) {
        return ByteBuffer.wrap(echo.key()).getLong();
    }

    /** Returns when the record is in the producer's buffer; the next call throws what failed. */
    @Override
    public final void broadcast(byte[] message) throws Exception {
        Exception before = failure.getAndSet(null);
        if (before != null) {
            throw before;
        }
        send(new ProducerRecord<>(all.topic(), all.partition(), null, message), failure::set);
    }

    private void send(ProducerRecord<byte[], byte[]> sent, Consumer<Exception> failed) {
        producer.send(sent, (where, why) -> {
            if (why != null) {
                failed.accept(why);
            }
        });
    }

    /** Ends what the consumer is at, and closes it. */
    abstract void closeConsumer();

    @Override
    public final void close() {
        closeConsumer();
        producer.close(limit);
    }

    /** The library has no other way to leave, but what waits to be sent can be dropped. */
    @Override
    public final void abandon() {
        producer.close(Duration.ZERO);
        closeConsumer();
    }
}
