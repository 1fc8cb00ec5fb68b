package io.wirelab.messaging.jms.amqp;

import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Spec;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * Answers without JMS, over AMQP 1.0: to the address that a request names, by its correlation id.
 * The broker turns requests of JMS into messages of AMQP, and answers back.
 */
final class AmqpResponder implements StampingServer {
    /** Name of the queue as the JMS clients call it. */
    private static final String REQUESTS = "wirelab_requests";
    /** A queue, each message of which is for one; what is named by an address alone may be a topic. */
    private static final String QUEUE = "queue";
    private static final String BYTES = "application/octet-stream";

    private final Connection connection;
    private volatile boolean closed;

    /** The responder of a trial, connected to its broker. */
    AmqpResponder(Spec spec) throws ClientException, ExecutionException, InterruptedException {
        URI broker = URI.create("amqp://" + spec.endpoints().text("server"));
        long limitMs = TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs());
        ConnectionOptions options = new ConnectionOptions();
        options.openTimeout(limitMs).requestTimeout(limitMs).sendTimeout(limitMs)
                .closeTimeout(limitMs);
        options.transportOptions().tcpNoDelay(true);
        connection = Client.create().connect(broker.getHost(), broker.getPort(), options);
        connection.openFuture().get();
        ReceiverOptions receiving = new ReceiverOptions()
                .creditWindow(spec.parameters().integerWithin("prefetch", 1, 65_535));
        receiving.sourceOptions().capabilities(QUEUE);
        // As what JMS calls non-persistent: nobody waits for the broker's word.
        SenderOptions sending = new SenderOptions().deliveryMode(DeliveryMode.AT_MOST_ONCE);
        long sessions = spec.parameters().integer("responder_sessions");
        for (long number = 0; number < sessions; number++) {
            Session session = connection.openSession();
            Receiver requests = session.openReceiver(REQUESTS, receiving);
            requests.openFuture().get();
            Sender answers = session.openAnonymousSender(sending);
            answers.openFuture().get();
            Thread thread = new Thread(() -> answer(requests, answers), "answers-" + number);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void answer(Receiver requests, Sender answers) {
        try {
            while (true) {
                Message<byte[]> request = requests.receive().message();
                byte[] content = request.body();
                io.wirelab.messaging.Message.stampServed(content);
                answers.send(Message.create(content)
                        .to(request.replyTo())
                        .correlationId(request.correlationId())
                        .contentType(BYTES));
            }
        } catch (ClientException ended) {
            if (!closed) {
                System.err.println("nobody answers any more: " + ended);
            }
        }
    }

    @Override
    public Map<String, String> library() {
        String version = Client.class.getPackage().getImplementationVersion();
        return Map.of("name", "Apache Qpid ProtonJ2 client",
                "version", version == null ? "1.0.0" : version);
    }

    /** Nobody connects to it. */
    @Override
    public String endpoint() {
        return "";
    }

    @Override
    public void close() {
        closed = true;
        connection.close();
    }
}
