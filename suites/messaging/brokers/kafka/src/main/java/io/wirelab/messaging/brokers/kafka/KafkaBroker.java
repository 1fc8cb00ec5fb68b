package io.wirelab.messaging.brokers.kafka;

import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** Broker and controller in this process (KRaft), with their logs in the trial's folder. */
final class KafkaBroker implements Server {
    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";
    /** The same when restarted, or it would refuse its own folder. */
    private static final String CLUSTER = new Uuid(0x776972656c6162L, NODE).toString();

    private final InetSocketAddress address;
    private final KafkaRaftServer server;

    KafkaBroker(Spec spec) throws Exception {
        InetSocketAddress listen = spec.listenAddress();
        String host = listen.getHostString();
        address = new InetSocketAddress(host,
                listen.getPort() == 0 ? freePort(host) : listen.getPort());
        Path folder = spec.paths().scratch().resolve("kafka");
        format(folder);
        Properties settings = settings(host, freePort(host), folder);
        server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        server.startup();
    }

    private static void format(Path folder) throws Exception {
        new Formatter()
                .setPrintStream(System.err)
                .setNodeId(NODE)
                .setClusterId(CLUSTER)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(folder.toString())
                .addDirectory(folder.toString())
                .setIgnoreFormatted(true)
                .run();
    }

    private Properties settings(String host, int controllerPort, Path folder) {
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", Integer.toString(NODE),
                "controller.quorum.voters", NODE + "@" + host + ":" + controllerPort,
                "controller.listener.names", CONTROLLER,
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "listeners", "PLAINTEXT://" + host + ":" + address.getPort() + ","
                        + CONTROLLER + "://" + host + ":" + controllerPort,
                "log.dirs", folder.toString()));
        settings.putAll(Map.of(
                // One node: whatever is replicated has one copy.
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "auto.create.topics.enable", "false",
                // Nothing is compacted here, and the cleaner keeps 128 MB for it.
                "log.cleaner.dedupe.buffer.size", "2097152",
                // Each of hundreds of partitions has two indexes that are mapped in full.
                "log.index.size.max.bytes", "1048576",
                // There is no other broker to hand partitions to before the end.
                "controlled.shutdown.enable", "false"));
        return settings;
    }

    private static int freePort(String host) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, 0));
            return socket.getLocalPort();
        }
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Apache Kafka", "version", AppInfoParser.getVersion());
    }

    @Override
    public String endpoint() {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of();
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
