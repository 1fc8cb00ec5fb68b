package io.wirelab.messaging.jms;

import io.wirelab.messaging.Inbox;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.Topic;

/**
 * Subscription to what others send to a user, to all or to a queue that they share: a session of
 * its own, since one with a listener belongs to the thread that delivers. The broker has confirmed
 * the consumer when this is made.
 */
final class Subscription implements MessageListener {
    private final Session session;
    private final Terms terms;
    private final Inbox inbox;

    /** To everybody; where what is sent is stored, the broker keeps what {@code user} has to get. */
    Subscription(Provider provider, Connection connection, Terms terms, Inbox inbox, int user)
            throws JMSException {
        this.terms = terms;
        this.inbox = inbox;
        session = terms.session(connection);
        Topic topic = provider.topic(session, Terms.BROADCASTS);
        MessageConsumer consumer = terms.stored()
                ? session.createSharedDurableConsumer(topic, "wirelab_user_" + user)
                : session.createConsumer(topic);
        consumer.setMessageListener(this);
    }

    /** To one of those who share {@code queue}. */
    Subscription(Provider provider, Connection connection, Terms terms, Inbox inbox, String queue)
            throws JMSException {
        this.terms = terms;
        this.inbox = inbox;
        session = terms.session(connection);
        session.createConsumer(provider.queue(session, queue)).setMessageListener(this);
    }

    @Override
    public void onMessage(Message message) {
        try {
            if (message.getJMSRedelivered()) {
                inbox.redelivered(Terms.content(message));
            } else {
                inbox.delivered(Terms.content(message));
            }
            terms.settle(session);
        } catch (JMSException why) {
            // The count of deliveries tells; the reason is worth a line.
            System.err.println("a delivery was lost: " + why);
        }
    }
}
