package io.wirelab.websocket.activemq;

import io.wirelab.sdk.Server;
import io.wirelab.sdk.ServingPart;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.activemq.ActiveMQConnectionMetaData;
import org.apache.activemq.broker.Broker;
import org.apache.activemq.broker.BrokerFilter;
import org.apache.activemq.broker.BrokerPlugin;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.ConnectionContext;
import org.apache.activemq.broker.TransportConnector;
import org.apache.activemq.broker.region.policy.PolicyEntry;
import org.apache.activemq.broker.region.policy.PolicyMap;
import org.apache.activemq.broker.region.policy.VMPendingSubscriberMessageStoragePolicy;
import org.apache.activemq.command.ConnectionInfo;

/** The role {@code activemq}: ActiveMQ Classic that speaks STOMP and nothing else, without a store. */
public final class StompBroker implements Server {
    private static final String USER = "wirelab";
    /** Share of the heap in which messages may wait. */
    private static final int HEAP_PERCENT = 70;

    private final BrokerService broker = new BrokerService();
    private final TransportConnector connector;
    private final String host;
    private final String password;

    /** Serves for the length of a trial; does not return. */
    public static void main(String[] arguments) {
        ServingPart.main(StompBroker::new);
    }

    private StompBroker(Spec spec) throws Exception {
        password = password(spec);
        broker.setBrokerName("wirelab");
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(false);
        // Notices of who comes and goes: nobody here reads them.
        broker.setAdvisorySupport(false);
        broker.setDataDirectoryFile(spec.paths().scratch().resolve("broker").toFile());
        broker.setDestinationPolicy(inMemory());
        // Its default is a number of bytes that may be more than the heap.
        broker.getSystemUsage().getMemoryUsage().setPercentOfJvmHeap(HEAP_PERCENT);
        broker.setPlugins(new BrokerPlugin[] {new OneUser(USER, password)});
        InetSocketAddress listen = spec.listenAddress();
        host = listen.getHostString();
        // Threads are shared by all connections, of which every user has one; no frame waits for
        // the acknowledgement of the one before it.
        connector = broker.addConnector("stomp+nio://" + host + ":" + listen.getPort()
                + "?transport.tcpNoDelay=true");
        broker.start();
        if (!broker.waitUntilStarted()) {
            throw new IllegalStateException("the broker did not start");
        }
    }

    /** Who sends waits when members do not keep up; nothing is spooled to disk or dropped. */
    private static PolicyMap inMemory() {
        PolicyEntry topics = new PolicyEntry();
        topics.setTopic(">");
        topics.setProducerFlowControl(true);
        topics.setPendingSubscriberPolicy(new VMPendingSubscriberMessageStoragePolicy());
        PolicyMap policies = new PolicyMap();
        policies.setPolicyEntries(List.of(topics));
        return policies;
    }

    /** The same after a restart, so that clients which have it can come back. */
    private static String password(Spec spec) throws Exception {
        byte[] told = (spec.trial() + " " + spec.seed()).getBytes(StandardCharsets.UTF_8);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(told);
        return HexFormat.of().formatHex(hash).substring(0, 32);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache ActiveMQ Classic",
                "version", ActiveMQConnectionMetaData.PROVIDER_VERSION);
    }

    /** A URL with the login of a relay. */
    @Override
    public String endpoint() {
        try {
            int port = connector.getConnectUri().getPort();
            return "stomp://" + USER + ":" + password + "@" + host + ":" + port;
        } catch (Exception why) {
            throw new IllegalStateException("the connector has no address", why);
        }
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of();
    }

    @Override
    public void close() throws Exception {
        broker.stop();
    }

    /** Lets one user in. */
    private record OneUser(String user, String password) implements BrokerPlugin {
        @Override
        public Broker installPlugin(Broker next) {
            return new BrokerFilter(next) {
                @Override
                public void addConnection(ConnectionContext context, ConnectionInfo info)
                        throws Exception {
                    if (!user.equals(info.getUserName()) || !password.equals(info.getPassword())) {
                        throw new SecurityException("User name or password is invalid.");
                    }
                    super.addConnection(context, info);
                }
            };
        }
    }
}
