package io.wirelab.messaging.jms;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.EOFException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A user: a connection, a session to send and to wait for echoes, one more to be sent to. */
final class JmsLink implements Link {
    private final Provider provider;
    private final Terms terms;
    private final Connection connection;
    private final int user;
    private final long limitMs;
    private final Session session;
    private final MessageProducer broadcasts;
    private EchoQueue echoes;
    private MessageProducer queued;

    /**
     * Sets a connection up.
     *
     * @param inbox takes what others send; null where nobody does, or this user gets nothing of it
     * @param tellsAll whether users send to all
     */
    JmsLink(Provider provider, Terms terms, Connection connection, int user, Inbox inbox,
            boolean tellsAll, long limitMs) throws JMSException {
        this.provider = provider;
        this.terms = terms;
        this.connection = connection;
        this.user = user;
        this.limitMs = limitMs;
        session = terms.session(connection);
        if (inbox != null) {
            new Subscription(provider, connection, terms, inbox, user);
        }
        broadcasts = tellsAll
                ? terms.producer(session, provider.topic(session, Terms.BROADCASTS)) : null;
        connection.start();
    }

    @Override
    public void echo(byte[] message, Reply reply)
            throws JMSException, EOFException, TimeoutException {
        if (echoes == null) {
            echoes = new EchoQueue(provider, session, terms, user, limitMs);
        }
        reply.arrived(echoes.call(message));
    }

    @Override
    public void broadcast(byte[] message) throws JMSException {
        broadcasts.send(Terms.wrapped(session, message));
        terms.settle(session);
    }

    /** Sends as a whole what is stored, before the broker's word for each is awaited. */
    @Override
    public void stream(List<byte[]> messages) throws Exception {
        if (!terms.stored()) {
            Link.super.stream(messages);
            return;
        }
        Confirmations confirmed = new Confirmations(messages.size());
        for (byte[] message : messages) {
            broadcasts.send(Terms.wrapped(session, message), confirmed);
        }
        confirmed.await(limitMs);
    }

    @Override
    public void compete(Inbox inbox) throws JMSException {
        new Subscription(provider, connection, terms, inbox, Terms.QUEUE);
    }

    @Override
    public void enqueue(byte[] message) throws JMSException {
        if (queued == null) {
            queued = terms.producer(session, provider.queue(session, Terms.QUEUE));
        }
        queued.send(Terms.wrapped(session, message));
        terms.settle(session);
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }

    @Override
    public void abandon() throws JMSException {
        provider.cut(connection);
    }
}
