package io.wirelab.messaging.rsocket;

import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.exceptions.ConnectionErrorException;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.messaging.Waiting;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

/** A connection for each user, and a channel on it where others send to the user. */
final class RsocketTransport implements Transport {
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final long limitNs;
    private final int credit;
    private final LoopResources loops;
    private final RSocketConnector connector =
            RSocketConnector.create().payloadDecoder(PayloadDecoder.ZERO_COPY);
    private final TcpClientTransport tcp;

    public static void main(String[] arguments) {
        Messaging.main(arguments, RsocketTransport::new, RsocketServer::new, null);
    }

    RsocketTransport(Spec spec) {
        limitNs = spec.limits().operationNs();
        credit = spec.parameters().integerWithin("receiver_credit_messages", 2, 1 << 16);
        loops = Payloads.loops(spec.parameters());
        // Not from a pool: its connections are for requests that take turns, and limited in number.
        tcp = TcpClientTransport.create(TcpClient.newConnection()
                .runOn(loops)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(limitNs)))
                .remoteAddress(() ->
                        spec.endpointAddress("server")));
    }

    @Override
    public Map<String, String> library() {
        return Payloads.library();
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        RSocket socket = result(connector.connect(tcp).toFuture());
        RsocketLink link = new RsocketLink(socket, inbox, limitNs);
        if (inbox != null) {
            try {
                result(link.join(credit));
            } catch (Exception failed) {
                link.abandon();
                throw failed;
            }
        }
        return link;
    }

    private <T> T result(CompletableFuture<T> future) throws Exception {
        try {
            return Waiting.result(future, limitNs);
        } finally {
            future.cancel(true);
        }
    }

    @Override
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof ConnectTimeoutException) {
            return Status.TIMEOUT;
        }
        if (thrown instanceof ConnectionErrorException || thrown instanceof CancellationException) {
            return Status.DISCONNECTED;
        }
        return Transport.super.statusOf(thrown);
    }

    @Override
    public void close() {
        loops.disposeLater(Duration.ZERO, GOODBYE).block(GOODBYE.multipliedBy(2));
    }
}
