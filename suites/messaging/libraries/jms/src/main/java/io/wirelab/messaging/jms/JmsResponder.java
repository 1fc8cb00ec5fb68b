package io.wirelab.messaging.jms;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Spec;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Map;

/**
 * Answers to the queue that a request names. After a loss of the broker it connects again, every
 * {@value #AGAIN_MS} ms, as a service would that nobody looks after.
 */
public final class JmsResponder implements StampingServer {
    private static final long AGAIN_MS = 200;

    private final Provider provider;
    private final Terms terms;
    private final long sessions;
    private Connection connection;
    private boolean closed;

    /** The responder of a trial, connected to its broker by way of {@code provider}. */
    public JmsResponder(Spec spec, Provider provider) throws JMSException {
        this.provider = provider;
        terms = Terms.of(spec.parameters());
        sessions = spec.parameters().integer("responder_sessions");
        connect();
    }

    private synchronized void connect() throws JMSException {
        if (closed) {
            return;
        }
        Connection made = provider.connect();
        try {
            for (long number = 0; number < sessions; number++) {
                answerOn(terms.session(made));
            }
            made.setExceptionListener(why -> reconnect(made, why));
            made.start();
        } catch (JMSException failed) {
            provider.cut(made);
            throw failed;
        }
        connection = made;
    }

    private void answerOn(Session session) throws JMSException {
        MessageProducer producer = terms.producer(session, null);
        Queue requests = provider.queue(session, Terms.REQUESTS);
        session.createConsumer(requests).setMessageListener(request -> {
            try {
                answer(session, producer, request);
                terms.settle(session);
            } catch (InvalidDestinationException gone) {
                System.err.println("the asker is gone: " + gone.getMessage());
            } catch (JMSException why) {
                System.err.println("a request could not be answered: " + why);
            }
        });
    }

    private static void answer(Session session, MessageProducer producer,
            jakarta.jms.Message request) throws JMSException {
        byte[] content = Terms.content(request);
        BytesMessage answer = session.createBytesMessage();
        answer.setJMSCorrelationID(request.getJMSCorrelationID());
        Message.stampServed(content);
        answer.writeBytes(content);
        producer.send(request.getJMSReplyTo(), answer);
    }

    private void reconnect(Connection lost, JMSException why) {
        System.err.println("the broker is gone: " + why);
        Background.start("reconnect", () -> {
            try {
                provider.cut(lost);
            } catch (JMSException already) {
                System.err.println("the lost connection could not be closed: " + already);
            }
            connectUntilMade();
        });
    }

    private void connectUntilMade() {
        while (true) {
            try {
                connect();
                return;
            } catch (JMSException notYet) {
                try {
                    Thread.sleep(AGAIN_MS);
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    @Override
    public Map<String, String> library() {
        return provider.library();
    }

    /** Nobody connects to it. */
    @Override
    public String endpoint() {
        return "";
    }

    @Override
    public void close() throws JMSException {
        Connection last;
        synchronized (this) {
            closed = true;
            last = connection;
        }
        last.close();
        provider.close();
    }
}
