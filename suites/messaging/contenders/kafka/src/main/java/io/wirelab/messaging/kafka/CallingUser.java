package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Turns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;

/** A user who only asks: who waits for an answer polls for it. */
final class CallingUser extends KafkaUser {
    private final Turns consuming = new Turns();

    CallingUser(KafkaSettings settings, TopicPartition own, TopicPartition all) {
        super(settings, own, all, List.of(own));
    }

    @Override
    public void echo(byte[] message, Reply reply) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        long number = nextNumber();
        try {
            consuming.take(() -> {
                sendEcho(number, message, why -> {
                    failure.set(why);
                    consumer().wakeup();
                });
                reply.arrived(awaitAnswer(number));
            });
        } catch (WakeupException woken) {
            Exception why = failure.get();
            throw why == null ? woken : why;
        }
    }

    private byte[] awaitAnswer(long number) {
        long deadlineNs = System.nanoTime() + limit().toNanos();
        for (Duration left = limit(); !left.isNegative();
                left = Duration.ofNanos(deadlineNs - System.nanoTime())) {
            for (ConsumerRecord<byte[], byte[]> found : consumer().poll(left)) {
                if (numberOf(found) == number) {
                    return found.value();
                }
            }
        }
        throw new TimeoutException("no answer in time");
    }

    @Override
    void closeConsumer() {
        consuming.last(consumer()::wakeup, consumer()::close);
    }
}
