package io.wirelab.messaging.jms.openmq;

import com.sun.messaging.ConnectionConfiguration;
import com.sun.messaging.ConnectionFactory;
import com.sun.messaging.jmq.Version;
import io.wirelab.messaging.Credentials;
import io.wirelab.messaging.jms.Jms;
import io.wirelab.messaging.jms.Provider;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The client of Open Message Queue in its own protocol. */
final class OpenMqProvider implements Provider {
    /** User whom the broker knows by itself, and the library says it is when it is told nothing. */
    private static final String GUEST = "guest";

    private final ConnectionFactory connections = new ConnectionFactory();
    private final Optional<Credentials> user;

    public static void main(String[] arguments) {
        Jms.main(arguments, OpenMqProvider::new, OpenMqBroker::new);
    }

    OpenMqProvider(Spec spec) throws JMSException {
        user = Credentials.areWrong(spec)
                ? Credentials.said(spec).map(said -> new Credentials(GUEST, said.password()))
                : Optional.empty();
        String limitMs = Long.toString(
                TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs()));
        set(ConnectionConfiguration.imqAddressList,
                "mq://" + spec.endpoints().text("server") + "/jms");
        set(ConnectionConfiguration.imqReconnectEnabled, "false");
        set(ConnectionConfiguration.imqSocketConnectTimeout, limitMs);
        set(ConnectionConfiguration.imqPortMapperSoTimeout, limitMs);
        set(ConnectionConfiguration.imqAckTimeout, limitMs);
        // The client waits for the broker neither when it sends nor when it acknowledges.
        set(ConnectionConfiguration.imqAckOnProduce, "false");
        set(ConnectionConfiguration.imqAckOnAcknowledge, "false");
        set(ConnectionConfiguration.imqConsumerFlowLimit,
                Long.toString(spec.parameters().integer("prefetch")));
    }

    private void set(String name, String value) throws JMSException {
        connections.setProperty(name, value);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Eclipse Open Message Queue client",
                "version", new Version(true).getProductVersion());
    }

    @Override
    public Connection connect() throws JMSException {
        Connection connection = Provider.connection(connections, user);
        // Who waits to receive is not woken by a loss, but by the end of the connection.
        connection.setExceptionListener(lost -> {
            Thread closing = new Thread(() -> close(connection), "closing");
            closing.setDaemon(true);
            closing.start();
        });
        return connection;
    }

    private static void close(Connection lost) {
        try {
            lost.close();
        } catch (JMSException already) {
            System.err.println("a lost connection could not be closed: " + already.getMessage());
        }
    }

    /** The library says everything with one class; its codes tell apart what matters here. */
    @Override
    public Optional<Status> statusOf(Throwable thrown) {
        if (!(thrown instanceof JMSException told) || told.getErrorCode() == null) {
            return Optional.empty();
        }
        return switch (told.getErrorCode()) {
            // Writing, reading or being acknowledged failed; goodbye; session, connection closed.
            case "C4000", "C4001", "C4002", "C4056", "C4059", "C4062", "C4063", "C4064" ->
                    Optional.of(Status.DISCONNECTED);
            // The broker is not there, or did not answer within imqAckTimeout.
            case "C4037" -> Optional.of(Status.TIMEOUT);
            default -> Optional.empty();
        };
    }
}
