package io.wirelab.messaging.jms.openmq;

import com.sun.messaging.jmq.Version;
import com.sun.messaging.jmq.jmsclient.runtime.BrokerInstance;
import com.sun.messaging.jmq.jmsclient.runtime.ClientRuntime;
import com.sun.messaging.jmq.jmsservice.BrokerEvent;
import com.sun.messaging.jmq.jmsservice.BrokerEventListener;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Open Message Queue in a process of its own, embedded, with its data in the trial's folder. */
final class OpenMqBroker implements Server, BrokerEventListener {
    private static final String NAME = "wirelab";

    private final BrokerInstance broker;
    private final int port;

    OpenMqBroker(Spec spec) throws Exception {
        int asked = spec.listenAddress().getPort();
        port = asked == 0 ? freePort() : asked;
        Path data = spec.paths().scratch().resolve("broker");
        // The broker makes its folders, but not before it opens its log.
        Files.createDirectories(data.resolve("instances").resolve(NAME).resolve("log"));
        broker = ClientRuntime.getRuntime().createBrokerInstance();
        broker.init(broker.parseArgs(arguments(spec.parameters(), data)), this);
        broker.start();
        if (!broker.isBrokerRunning()) {
            throw new IOException("the broker did not start; its log tells why");
        }
    }

    private String[] arguments(Fields parameters, Path data) {
        List<String> options = List.of(
                "imq.hostname=127.0.0.1",
                "imq.portmapper.hostname=127.0.0.1",
                // No administration from outside.
                "imq.service.activelist=jms",
                "imq.jms.threadpool_model=" + parameters.text("broker_threads"),
                "imq.jms.max_threads=10000",
                "imq.jms.tcp.backlog=1000",
                "imq.portmapper.backlog=1000",
                "imq.metrics.enabled=false",
                // Producers wait when consumers do not keep up; nothing is dropped or refused.
                "imq.autocreate.destination.limitBehavior=FLOW_CONTROL",
                // Every user is a producer of the topic, and each may send so many messages ahead as
                // its share of the limit is; what one leaves unused, no other gets.
                "imq.autocreate.destination.maxNumProducers="
                        + parameters.integer("destination_producers"),
                "imq.autocreate.destination.maxNumMsgs="
                        + parameters.integer("destination_messages"),
                "imq.autocreate.destination.useDMQ=false");
        return Stream.concat(
                Stream.of("-name", NAME, "-port", Integer.toString(port),
                        "-varhome", data.toString(),
                        "-imqhome", System.getProperty("wirelab.openmq")),
                options.stream().map(option -> "-D" + option)).toArray(String[]::new);
    }

    /** The broker takes no port 0 for its port mapper, so the system is asked beforehand. */
    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Override
    public void brokerEvent(BrokerEvent event) {
        System.err.println("broker: " + event.getMessage());
    }

    @Override
    public boolean exitRequested(BrokerEvent event, Throwable thrown) {
        System.err.println("the broker wants to exit: " + event.getMessage() + " " + thrown);
        return true;
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Eclipse Open Message Queue",
                "version", new Version(true).getProductVersion());
    }

    @Override
    public String endpoint() {
        return "127.0.0.1:" + port;
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("store", "file, for its own records alone");
    }

    @Override
    public void close() {
        broker.stop();
        broker.shutdown();
    }
}
