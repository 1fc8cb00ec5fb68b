package io.wirelab.messaging.jms.activemq;

import io.wirelab.messaging.Credentials;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
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
import org.apache.activemq.broker.region.policy.VMPendingQueueMessageStoragePolicy;
import org.apache.activemq.broker.region.policy.VMPendingSubscriberMessageStoragePolicy;
import org.apache.activemq.command.ConnectionInfo;

/** ActiveMQ Classic in a process of its own, embedded, without a store. */
final class ClassicBroker implements Server {
    private final BrokerService broker = new BrokerService();
    private final TransportConnector connector;

    ClassicBroker(Spec spec) throws Exception {
        broker.setBrokerName("wirelab");
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(false);
        // Notices of who comes and goes: nobody here reads them.
        broker.setAdvisorySupport(false);
        broker.setDataDirectoryFile(spec.paths().scratch().resolve("broker").toFile());
        broker.setDestinationPolicy(policy(spec.parameters().integer("destination_bytes")));
        Credentials.known(spec).ifPresent(
                known -> broker.setPlugins(new BrokerPlugin[] {new OneUser(known)}));
        InetSocketAddress listen = spec.listenAddress();
        connector = broker.addConnector(spec.parameters().text("broker_transport") + "://"
                + listen.getHostString() + ":" + listen.getPort()
                + "?maximumConnections=10000");
        broker.start();
        if (!broker.waitUntilStarted()) {
            throw new IllegalStateException("the broker did not start");
        }
    }

    /** Producers wait when consumers do not keep up; nothing is spooled to disk or dropped. */
    private static PolicyMap policy(long limit) {
        PolicyEntry all = new PolicyEntry();
        all.setQueue(">");
        PolicyEntry topics = new PolicyEntry();
        topics.setTopic(">");
        for (PolicyEntry entry : List.of(all, topics)) {
            entry.setMemoryLimit(limit);
            entry.setProducerFlowControl(true);
            // A queue's dispatcher is the thread that brings the message, not one more.
            entry.setOptimizedDispatch(true);
            entry.setPendingQueuePolicy(new VMPendingQueueMessageStoragePolicy());
            entry.setPendingSubscriberPolicy(new VMPendingSubscriberMessageStoragePolicy());
        }
        PolicyMap policies = new PolicyMap();
        policies.setPolicyEntries(List.of(all, topics));
        return policies;
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache ActiveMQ Classic",
                "version", ActiveMQConnectionMetaData.PROVIDER_VERSION);
    }

    @Override
    public String endpoint() {
        try {
            return "127.0.0.1:" + connector.getConnectUri().getPort();
        } catch (Exception why) {
            throw new IllegalStateException("the connector has no address", why);
        }
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("store", "none");
    }

    @Override
    public void close() throws Exception {
        broker.stop();
    }

    /**
     * Lets one user in. The broker's own plugin for that wants its JAAS library, which the figures
     * would then be said to need.
     */
    private record OneUser(Credentials known) implements BrokerPlugin {
        @Override
        public Broker installPlugin(Broker next) {
            return new BrokerFilter(next) {
                @Override
                public void addConnection(ConnectionContext context, ConnectionInfo info)
                        throws Exception {
                    if (!known.equals(new Credentials(info.getUserName(), info.getPassword()))) {
                        throw new SecurityException("User name or password is invalid.");
                    }
                    super.addConnection(context, info);
                }
            };
        }
    }
}
