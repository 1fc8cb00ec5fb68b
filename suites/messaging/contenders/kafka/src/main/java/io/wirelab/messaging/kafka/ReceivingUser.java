package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** A user to whom others send: a thread polls for what is for all, and for what comes back. */
final class ReceivingUser extends KafkaUser {
    private static final int STACK = 256 * 1024;

    private final Inbox inbox;
    private final String broadcasts;
    private volatile boolean closing;
    private final PendingEcho<Long> pending = new PendingEcho<>();

    ReceivingUser(KafkaSettings settings, TopicPartition own, TopicPartition all, Inbox inbox) {
        super(settings, own, all, List.of(own, all));
        this.inbox = inbox;
        broadcasts = all.topic();
        Background.start("consumer-" + own.partition(), STACK, this::read);
    }

    private void read() {
        try {
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> found : consumer().poll(limit())) {
                    if (found.topic().equals(broadcasts)) {
                        inbox.delivered(found.value());
                    } else {
                        pending.answered(numberOf(found), found.value());
                    }
                }
            }
        } catch (WakeupException woken) {
            // Its user leaves.
        } catch (KafkaException lost) {
            System.err.println("a consumer ended: " + lost);
        } finally {
            consumer().close();
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        long number = nextNumber();
        pending.begin(number, reply, false);
        sendEcho(number, message, reply::failed);
    }

    /** The thread that polls closes it. */
    @Override
    void closeConsumer() {
        closing = true;
        consumer().wakeup();
    }
}
