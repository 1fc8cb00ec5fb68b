package io.wirelab.messaging.jms;

import io.wirelab.sdk.Fields;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/**
 * Guarantees as a contender's tuning says them: the same words that are printed beside its figures.
 *
 * @param persistent {@code delivery}: {@code persistent} or {@code non-persistent}
 * @param transacted {@code acknowledge}: {@code transacted} (a commit for each message sent and for
 *     each one received) or {@code auto}
 * @param answered {@code echo}: {@code responder} or {@code own-queue}
 * @param stored whether subscriptions are durable, so that what is sent to all is stored as well: in
 *     a stream of persistent messages
 */
record Terms(boolean persistent, boolean transacted, boolean answered, boolean stored) {
    /**
     * Queue from which the responder takes what it answers; names that every provider allows have
     * no dots.
     */
    static final String REQUESTS = "wirelab_requests";

    /** Topic of broadcasts. */
    static final String BROADCASTS = "wirelab_broadcast";

    /** Queue that users share, each message of which is for one of them. */
    static final String QUEUE = "wirelab_queue";

    static Terms of(Fields parameters) {
        boolean persistent = either(parameters, "delivery", "persistent", "non-persistent");
        return new Terms(
                persistent,
                either(parameters, "acknowledge", "transacted", "auto"),
                either(parameters, "echo", "responder", "own-queue"),
                persistent && parameters.has("messages"));
    }

    private static boolean either(Fields parameters, String key, String first, String second) {
        String said = parameters.text(key);
        if (!said.equals(first) && !said.equals(second)) {
            throw new IllegalArgumentException(
                    key + ": expected " + first + " or " + second + ", found " + said);
        }
        return said.equals(first);
    }

    Session session(Connection connection) throws JMSException {
        return connection.createSession(transacted,
                transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    }

    /** Nobody here reads message ids and timestamps, so providers may leave them out. */
    MessageProducer producer(Session session, Destination destination) throws JMSException {
        MessageProducer producer = session.createProducer(destination);
        producer.setDeliveryMode(
                persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        return producer;
    }

    /** Ends the transaction of what was just sent or received, where there is one. */
    void settle(Session session) throws JMSException {
        if (transacted) {
            session.commit();
        }
    }

    static BytesMessage wrapped(Session session, byte[] message) throws JMSException {
        BytesMessage wrapped = session.createBytesMessage();
        wrapped.writeBytes(message);
        return wrapped;
    }

    static byte[] content(jakarta.jms.Message got) throws JMSException {
        return got.getBody(byte[].class);
    }
}
