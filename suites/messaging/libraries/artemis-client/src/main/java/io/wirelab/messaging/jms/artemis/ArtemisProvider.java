package io.wirelab.messaging.jms.artemis;

import io.wirelab.messaging.Credentials;
import io.wirelab.messaging.jms.Provider;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.core.client.impl.ClientSessionInternal;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.utils.VersionLoader;

/** The client of Artemis in its own protocol, CORE. */
public final class ArtemisProvider implements Provider {
    private final ActiveMQConnectionFactory connections;
    private final Optional<Credentials> user;
    private final Optional<Lookup> lookup;

    /** The client of a trial's broker. */
    public ArtemisProvider(Spec spec) throws JMSException {
        user = Credentials.said(spec);
        long limitMs = spec.limits().operationMs();
        String broker = "tcp://" + spec.endpoints().text("server")
                + "?connect-timeout-millis=" + limitMs;
        lookup = spec.parameters().text("lookup", "none").equals("jndi")
                ? Optional.of(new Lookup(broker)) : Optional.empty();
        connections = lookup.isPresent() ? lookup.get().connections()
                : new ActiveMQConnectionFactory(broker);
        connections.setCallTimeout(limitMs);
        connections.setReconnectAttempts(0);
        connections.setInitialConnectAttempts(1);
        connections.setCacheDestinations(true);
        // There is one broker, so its address need not be learnt from a cluster's topology.
        connections.setUseTopologyForLoadBalancing(false);
        // The library's defaults, said because the figures depend on them.
        connections.setBlockOnNonDurableSend(false);
        connections.setBlockOnDurableSend(true);
        connections.setBlockOnAcknowledge(false);
        connections.setConsumerWindowSize(
                Math.toIntExact(spec.parameters().integer("consumer_window_bytes")));
        connections.setProducerWindowSize(
                Math.toIntExact(spec.parameters().integer("producer_window_bytes")));
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache Artemis JMS client",
                "version", VersionLoader.getVersion().getFullVersion());
    }

    @Override
    public Connection connect() throws JMSException {
        return Provider.connection(connections, user);
    }

    @Override
    public Queue queue(Session session, String name) throws JMSException {
        return lookup.isPresent() ? lookup.get().queue(name) : session.createQueue(name);
    }

    @Override
    public Topic topic(Session session, String name) throws JMSException {
        return lookup.isPresent() ? lookup.get().topic(name) : session.createTopic(name);
    }

    /** Closes the socket under the connection, which then is lost and closes what it has. */
    @Override
    public void cut(Connection connection) throws JMSException {
        if (connection instanceof ActiveMQConnection ours
                && ours.getInitialSession() instanceof ClientSessionInternal session) {
            session.getConnection().getTransportConnection().forceClose();
        }
        connection.close();
    }

    @Override
    public Optional<Status> statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof ActiveMQException told) {
                return switch (told.getType()) {
                    case CONNECTION_TIMEDOUT -> Optional.of(Status.TIMEOUT);
                    case NOT_CONNECTED, DISCONNECTED, UNBLOCKED, OBJECT_CLOSED ->
                            Optional.of(Status.DISCONNECTED);
                    default -> Optional.of(Status.ERROR);
                };
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        connections.close();
    }
}
