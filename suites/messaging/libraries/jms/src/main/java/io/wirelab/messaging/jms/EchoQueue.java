package io.wirelab.messaging.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.EOFException;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * Place where a user's echoes come back: its own queue, to which it sends itself, or a temporary
 * one that the responder answers to. Each is made once for a connection, and of a name that no
 * other has, so that nothing meant for a connection that was lost can be taken for an answer.
 */
final class EchoQueue {
    private final Session session;
    private final Terms terms;
    private final Queue replies;
    private final MessageProducer producer;
    private final MessageConsumer consumer;
    private final long limitMs;
    private long calls;

    EchoQueue(Provider provider, Session session, Terms terms, int user, long limitMs)
            throws JMSException {
        this.session = session;
        this.terms = terms;
        this.limitMs = limitMs;
        replies = terms.answered() ? session.createTemporaryQueue()
                : provider.queue(session, "wirelab_echo_" + user + "_"
                        + UUID.randomUUID().toString().replace("-", ""));
        consumer = session.createConsumer(replies);
        producer = terms.producer(session,
                terms.answered() ? provider.queue(session, Terms.REQUESTS) : replies);
    }

    /**
     * Sends {@code message} and waits, in the caller's thread, until it is back.
     *
     * @throws TimeoutException if that takes longer than the limit
     * @throws EOFException if the connection ends while waiting
     */
    byte[] call(byte[] message) throws JMSException, EOFException, TimeoutException {
        String call = Long.toString(++calls);
        long deadlineNs = System.nanoTime() + limitMs * 1_000_000;
        BytesMessage request = Terms.wrapped(session, message);
        request.setJMSCorrelationID(call);
        if (terms.answered()) {
            request.setJMSReplyTo(replies);
        }
        producer.send(request);
        terms.settle(session);
        while (true) {
            Message reply = awaited(deadlineNs);
            byte[] content = Terms.content(reply);
            terms.settle(session);
            // What answers a call that was given up is passed over.
            if (call.equals(reply.getJMSCorrelationID())) {
                return content;
            }
        }
    }

    /** A consumer returns nothing for two reasons, which only the clock tells apart. */
    private Message awaited(long deadlineNs) throws JMSException, EOFException, TimeoutException {
        long leftMs = Math.max(1, (deadlineNs - System.nanoTime()) / 1_000_000);
        Message reply = consumer.receive(leftMs);
        if (reply != null) {
            return reply;
        }
        if (System.nanoTime() < deadlineNs - 1_000_000) {
            throw new EOFException("the connection ended while an answer was awaited");
        }
        throw new TimeoutException("no answer within " + limitMs + " ms");
    }
}
