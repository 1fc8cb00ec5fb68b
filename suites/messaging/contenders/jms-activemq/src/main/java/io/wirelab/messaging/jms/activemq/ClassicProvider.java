package io.wirelab.messaging.jms.activemq;

import io.wirelab.messaging.Credentials;
import io.wirelab.messaging.jms.Jms;
import io.wirelab.messaging.jms.Provider;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.EOFException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQConnectionMetaData;
import org.apache.activemq.ConnectionClosedException;
import org.apache.activemq.ConnectionFailedException;
import org.apache.activemq.transport.InactivityIOException;
import org.apache.activemq.transport.RequestTimedOutIOException;

/** The client of ActiveMQ Classic in its own protocol, OpenWire. */
final class ClassicProvider implements Provider {
    private final ActiveMQConnectionFactory connections;
    private final Optional<Credentials> user;

    public static void main(String[] arguments) {
        Jms.main(arguments, ClassicProvider::new, ClassicBroker::new);
    }

    ClassicProvider(Spec spec) {
        user = Credentials.said(spec);
        int limitMs = Math.toIntExact(
                TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs()));
        connections = new ActiveMQConnectionFactory("tcp://" + spec.endpoints().text("server")
                + "?connectionTimeout=" + limitMs
                // Smaller on the wire, dearer to write: not worth it on a local network.
                + "&wireFormat.tightEncodingEnabled=false");
        connections.setConnectResponseTimeout(limitMs);
        connections.setRequestTimeout(limitMs);
        connections.setCloseTimeout(limitMs);
        // No send timeout: with one every send would wait for the broker.
        connections.setSendTimeout(0);
        // Nobody here uses another user's temporary destinations, so nobody need hear of them.
        connections.setWatchTopicAdvisories(false);
        // A message is not touched again once it is sent.
        connections.setCopyMessageOnSend(false);
        // A session of a connection that has only one takes messages from the reader's own thread.
        connections.setAlwaysSessionAsync(false);
        // A sender is asked to wait by name: otherwise the broker stops reading its connection,
        // acknowledgements of what the same connection received included.
        connections.setProducerWindowSize(
                Math.toIntExact(spec.parameters().integer("producer_window_bytes")));
        int prefetch = Math.toIntExact(spec.parameters().integer("prefetch"));
        connections.getPrefetchPolicy().setAll(prefetch);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache ActiveMQ Classic client",
                "version", ActiveMQConnectionMetaData.PROVIDER_VERSION);
    }

    @Override
    public Connection connect() throws JMSException {
        return Provider.startedConnection(connections, user);
    }

    /** Closes the socket under the connection, which then is lost and closes what it has. */
    @Override
    public void cut(Connection connection) throws JMSException {
        if (connection instanceof ActiveMQConnection ours) {
            try {
                ours.getTransport().stop();
            } catch (Exception already) {
                System.err.println("a socket could not be closed: " + already);
            }
            ours.onException(new EOFException("abandoned"));
        }
        connection.close();
    }

    @Override
    public Optional<Status> statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof RequestTimedOutIOException
                    || why instanceof InactivityIOException) {
                return Optional.of(Status.TIMEOUT);
            }
            if (why instanceof ConnectionClosedException
                    || why instanceof ConnectionFailedException) {
                return Optional.of(Status.DISCONNECTED);
            }
        }
        return Optional.empty();
    }
}
