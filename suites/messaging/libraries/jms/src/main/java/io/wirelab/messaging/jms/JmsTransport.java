package io.wirelab.messaging.jms;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/** JMS: a connection for each user, echoes by queues, broadcasts by a topic. */
public final class JmsTransport implements Transport {
    private final Provider provider;
    private final Terms terms;
    private final long limitMs;
    private final boolean tellsAll;

    /**
     * Exceptions of connecting. Many providers say "not connected" of a server that refuses and of
     * a connection that is lost; where it was thrown tells them apart. Kept weakly: whoever asks of
     * an exception still has it.
     */
    private final Set<Throwable> unmade =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** The transport of a trial by way of {@code provider}. */
    public JmsTransport(Spec spec, Provider provider) {
        this.provider = provider;
        terms = Terms.of(spec.parameters());
        limitMs = spec.limits().operationMs();
        tellsAll = spec.operations().containsKey("send");
    }

    @Override
    public Map<String, String> library() {
        return provider.library();
    }

    @Override
    public Link connect(int user, Inbox inbox) throws JMSException {
        Connection connection = connection();
        try {
            return new JmsLink(provider, terms, connection, user, inbox, tellsAll, limitMs);
        } catch (JMSException | RuntimeException failed) {
            provider.cut(connection);
            throw failed;
        }
    }

    private Connection connection() throws JMSException {
        try {
            return provider.connect();
        } catch (JMSException refused) {
            unmade.add(refused);
            throw refused;
        }
    }

    @Override
    public Status statusOf(Throwable thrown) {
        Optional<Status> told = provider.statusOf(thrown);
        if (told.isPresent() && told.get() != Status.DISCONNECTED) {
            return told.get();
        }
        if (unmade.contains(thrown)) {
            return Status.REFUSED;
        }
        return told.orElseGet(() -> otherwise(thrown));
    }

    /**
     * Status of what a lost connection has in common everywhere, for JMS has no code of its own for
     * one: closed sessions, a socket that failed.
     */
    private Status otherwise(Throwable thrown) {
        Status plain = Transport.super.statusOf(thrown);
        if (plain != Status.ERROR) {
            return plain;
        }
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof IllegalStateException || why instanceof IOException) {
                return Status.DISCONNECTED;
            }
        }
        return Status.ERROR;
    }

    @Override
    public void close() throws JMSException {
        provider.close();
    }
}
