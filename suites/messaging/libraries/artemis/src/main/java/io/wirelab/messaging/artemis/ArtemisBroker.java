package io.wirelab.messaging.artemis;

import io.wirelab.messaging.Credentials;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** Artemis in a process of its own, embedded, with its data in the trial's folder. */
public final class ArtemisBroker implements Server {
    private static final String ACCEPTOR = "wirelab";

    private final ActiveMQServer server;
    private final Map<String, ?> facts;

    /**
     * Starts the broker of a trial.
     *
     * @param protocols what its only acceptor speaks, such as {@code CORE} or {@code AMQP}
     */
    public ArtemisBroker(Spec spec, String protocols) throws Exception {
        Configuration configuration = configuration(spec, protocols);
        Optional<OneUser> doorman = Credentials.known(spec).map(OneUser::new);
        configuration.setSecurityEnabled(doorman.isPresent());
        server = ActiveMQServers.newActiveMQServer(configuration, null, doorman.orElse(null),
                configuration.isPersistenceEnabled());
        server.start();
        facts = configuration.isPersistenceEnabled()
                ? Map.of("journal", configuration.getJournalType().name(),
                        "journal_sync", configuration.isJournalSyncNonTransactional(),
                        "journal_datasync", configuration.isJournalDatasync())
                : Map.of("journal", "none");
    }

    private static Configuration configuration(Spec spec, String protocols) throws Exception {
        Fields parameters = spec.parameters();
        InetSocketAddress listen = spec.listenAddress();
        boolean isSynced = !parameters.has("journal_sync") || parameters.flag("journal_sync");
        Path data = spec.paths().scratch().resolve("broker");
        AddressSettings all = new AddressSettings()
                // Producers wait when consumers do not keep up; nothing is paged or dropped.
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK)
                .setMaxSizeBytes(parameters.integer("address_bytes"))
                // As in the configuration that Artemis writes for a new broker.
                .setDeadLetterAddress(SimpleString.of("DLQ"))
                .setExpiryAddress(SimpleString.of("ExpiryQueue"));
        return new ConfigurationImpl()
                .setPersistenceEnabled(parameters.text("delivery").equals("persistent"))
                .setJournalType(JournalType.NIO)
                .setJournalBufferTimeout_NIO(
                        Math.toIntExact(1_000 * parameters.integer("journal_buffer_us", 0)))
                // Without it a message is in the journal, and the operating system writes it later.
                .setJournalSyncNonTransactional(isSynced)
                .setJournalSyncTransactional(isSynced)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                // By default senders wait, with no limit and no error, while a disk is fuller than
                // 90 %, whatever is left of it. What a role may write is bounded outside of it.
                .setMaxDiskUsage(-1)
                .setJMXManagementEnabled(false)
                // Addresses match by name alone, which spares a search for each new one.
                .setWildcardRoutingEnabled(false)
                .addAddressSetting("#", all)
                .addAcceptorConfiguration(ACCEPTOR, "tcp://" + listen.getHostString() + ":"
                        + listen.getPort() + "?protocols=" + protocols);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache Artemis",
                "version", server.getVersion().getFullVersion());
    }

    @Override
    public String endpoint() {
        NettyAcceptor acceptor =
                (NettyAcceptor) server.getRemotingService().getAcceptor(ACCEPTOR);
        return "127.0.0.1:" + acceptor.getActualPort();
    }

    @Override
    public Map<String, ?> facts() {
        return facts;
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
