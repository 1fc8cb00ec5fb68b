package io.wirelab.messaging.jms;

import io.wirelab.messaging.Credentials;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.Optional;

/**
 * Parts that a provider has of its own; everything else is asked for in the words of jakarta.jms.
 */
public interface Provider extends AutoCloseable {

    /** Makes the provider of a process; nothing is connected yet. */
    @FunctionalInterface
    interface Maker {
        /** The provider at {@code endpoints.server}; no call of it outlasts the limit. */
        Provider open(Spec spec) throws Exception;
    }

    /** Name and version of the client library. */
    Map<String, String> library();

    /** A connection for one user, which the library does not make again by itself. */
    Connection connect() throws JMSException;

    /** A connection of {@code factory}: in the name of a user, or of nobody. */
    static Connection connection(ConnectionFactory factory, Optional<Credentials> user)
            throws JMSException {
        return user.isPresent()
                ? factory.createConnection(user.get().user(), user.get().password())
                : factory.createConnection();
    }

    /**
     * The same of a library that connects when the connection is first used, and only then is
     * refused.
     */
    static Connection startedConnection(ConnectionFactory factory, Optional<Credentials> user)
            throws JMSException {
        Connection connection = connection(factory, user);
        try {
            connection.start();
            return connection;
        } catch (JMSException refused) {
            connection.close();
            throw refused;
        }
    }

    /** The queue of a name: made by the session, or looked up. */
    default Queue queue(Session session, String name) throws JMSException {
        return session.createQueue(name);
    }

    /** The topic of a name, likewise. */
    default Topic topic(Session session, String name) throws JMSException {
        return session.createTopic(name);
    }

    /** Ends a connection without a goodbye, where the library lets its caller do so. */
    default void cut(Connection connection) throws JMSException {
        connection.close();
    }

    /** Status of a failure that only its own classes tell; empty where they do not. */
    default Optional<Status> statusOf(Throwable thrown) {
        return Optional.empty();
    }

    /** Frees what the connections share. */
    @Override
    default void close() throws JMSException {}
}
