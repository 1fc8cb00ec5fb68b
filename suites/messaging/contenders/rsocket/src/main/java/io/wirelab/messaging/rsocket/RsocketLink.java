package io.wirelab.messaging.rsocket;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Waiting;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** One user: its connection, and the channel by which it broadcasts and gets what others do. */
final class RsocketLink implements Link {
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final RSocket socket;
    private final Inbox inbox;
    private final long limitNs;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final Waiting waiting = new Waiting();
    private FluxSink<Payload> outgoing;

    RsocketLink(RSocket socket, Inbox inbox, long limitNs) {
        this.socket = socket;
        this.inbox = inbox;
        this.limitNs = limitNs;
        socket.onClose().subscribe(nothing -> { }, gone -> waiting.wake(), waiting::wake);
    }

    /**
     * Opens the channel; done when the server has said hello by it.
     *
     * @param credit how many messages the server may send without being asked again
     */
    CompletableFuture<Void> join(int credit) {
        Flux<Payload> sent = Flux.create(sink -> {
            outgoing = sink;
            sink.onRequest(more -> waiting.wake());
            sink.next(Payloads.hello());
        });
        socket.requestChannel(sent).limitRate(credit).subscribe(this::take,
                joined::completeExceptionally,
                () -> joined.completeExceptionally(new ClosedChannelException()));
        return joined;
    }

    private void take(Payload payload) {
        byte[] message = Payloads.taken(payload);
        if (message.length == 0) {
            joined.complete(null);
        } else {
            inbox.delivered(message);
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        socket.requestResponse(Payloads.of(message))
                .subscribe(payload -> reply.arrived(Payloads.taken(payload)), reply::failed);
    }

    @Override
    public void broadcast(byte[] message) throws Exception {
        waiting.until(() -> gone() || outgoing.requestedFromDownstream() > 0, limitNs,
                "the server stopped asking for messages");
        if (gone()) {
            throw new ClosedChannelException();
        }
        outgoing.next(Payloads.of(message));
    }

    private boolean gone() {
        return socket.isDisposed() || outgoing.isCancelled();
    }

    @Override
    public void close() {
        if (outgoing != null) {
            outgoing.complete();
        }
        socket.dispose();
        socket.onClose().onErrorResume(gone -> Mono.empty())
                .timeout(GOODBYE, Mono.empty())
                .block();
    }

    /** RSocket has no goodbye: its connection is closed either way. */
    @Override
    public void abandon() {
        socket.dispose();
    }
}
