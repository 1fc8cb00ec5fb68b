package io.wirelab.messaging.rsocket;

import io.netty.channel.ChannelOption;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.Room;
import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.time.Duration;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/** Answers requests, and joins the channels of all users in one room. */
final class RsocketServer implements StampingServer {
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final LoopResources loops;
    private final CloseableChannel listening;

    RsocketServer(Spec spec) {
        Fields tuning = spec.parameters();
        loops = Payloads.loops(tuning);
        TcpServer tcp = TcpServer.create()
                .runOn(loops)
                .bindAddress(spec::listenAddress)
                .option(ChannelOption.SO_BACKLOG,
                        tuning.integerWithin("accept_backlog", 1, Integer.MAX_VALUE));
        listening = RSocketServer.create(SocketAcceptor.with(new Exchange(
                        tuning.integerWithin("sender_credit_messages", 2, 1 << 16))))
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                .bind(TcpServerTransport.create(tcp))
                .block(Duration.ofNanos(spec.limits().operationNs()));
    }

    private static final class Exchange implements RSocket {
        private final Room<RsocketMember> room = new Room<>();
        private final int credit;

        Exchange(int credit) {
            this.credit = credit;
        }

        @Override
        public Mono<Payload> requestResponse(Payload payload) {
            byte[] message = Payloads.taken(payload);
            Message.stampServed(message);
            return Mono.just(Payloads.of(message));
        }

        @Override
        public Flux<Payload> requestChannel(Publisher<Payload> incoming) {
            return Flux.create(outgoing ->
                    incoming.subscribe(new RsocketMember(outgoing, room, credit)));
        }
    }

    @Override
    public Map<String, String> library() {
        return Payloads.library();
    }

    @Override
    public String endpoint() {
        return listening.address().getHostString() + ":" + listening.address().getPort();
    }

    @Override
    public void close() {
        listening.dispose();
        loops.disposeLater(Duration.ZERO, GOODBYE).block(GOODBYE.multipliedBy(2));
    }
}
