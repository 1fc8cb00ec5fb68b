package io.wirelab.messaging.jms.qpid;

import io.wirelab.messaging.Credentials;
import io.wirelab.messaging.artemis.ArtemisBroker;
import io.wirelab.messaging.jms.Jms;
import io.wirelab.messaging.jms.Provider;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.jms.JmsConnectionRemotelyClosedException;
import org.apache.qpid.jms.JmsOperationTimedOutException;
import org.apache.qpid.jms.JmsSendTimedOutException;
import org.apache.qpid.jms.exceptions.JmsConnectionClosedException;
import org.apache.qpid.jms.exceptions.JmsConnectionFailedException;
import org.apache.qpid.jms.policy.JmsDefaultPrefetchPolicy;
import org.apache.qpid.jms.util.MetaDataSupport;

/** Qpid JMS: jakarta.jms over AMQP 1.0. */
final class QpidProvider implements Provider {
    private final JmsConnectionFactory connections;
    private final Optional<Credentials> user;

    public static void main(String[] arguments) {
        Jms.main(arguments, QpidProvider::new, spec -> new ArtemisBroker(spec, "AMQP"));
    }

    QpidProvider(Spec spec) {
        user = Credentials.said(spec);
        long limitMs = TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs());
        connections = new JmsConnectionFactory("amqp://" + spec.endpoints().text("server")
                + "?transport.connectTimeout=" + limitMs + "&transport.tcpNoDelay=true"
                // Each connection keeps buffers of several times the largest frame.
                + "&amqp.maxFrameSize=" + spec.parameters().integer("frame_bytes")
                // Threads for the sockets of all connections together, rather than one for each.
                + "&transport.sharedEventLoopThreads="
                + spec.parameters().integer("event_loop_threads"));
        connections.setConnectTimeout(limitMs);
        connections.setRequestTimeout(limitMs);
        connections.setSendTimeout(limitMs);
        connections.setCloseTimeout(limitMs);
        // What the broker grants in one go; a consumer that is full asks for no more.
        JmsDefaultPrefetchPolicy prefetch = new JmsDefaultPrefetchPolicy();
        prefetch.setAll(Math.toIntExact(spec.parameters().integer("prefetch")));
        connections.setPrefetchPolicy(prefetch);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache Qpid JMS", "version", MetaDataSupport.PROVIDER_VERSION);
    }

    @Override
    public Connection connect() throws JMSException {
        return Provider.startedConnection(connections, user);
    }

    @Override
    public Optional<Status> statusOf(Throwable thrown) {
        if (thrown instanceof JmsSendTimedOutException
                || thrown instanceof JmsOperationTimedOutException) {
            return Optional.of(Status.TIMEOUT);
        }
        if (thrown instanceof JmsConnectionFailedException
                || thrown instanceof JmsConnectionClosedException
                || thrown instanceof JmsConnectionRemotelyClosedException) {
            return Optional.of(Status.DISCONNECTED);
        }
        return Optional.empty();
    }
}
