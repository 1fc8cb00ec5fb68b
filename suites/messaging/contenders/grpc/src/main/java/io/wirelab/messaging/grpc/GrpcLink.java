package io.wirelab.messaging.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Incoming;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Waiting;
import io.wirelab.messaging.grpc.protocol.Frame;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One user: its call, and what takes what comes by it, on the library's event loop. */
final class GrpcLink implements ClientResponseObserver<Frame, Frame>, Link {
    private static final long GOODBYE_MS = 1_000;

    private final ManagedChannel channel;
    private final Incoming incoming;
    private final long limitNs;
    private final Waiting waiting = new Waiting();
    private ClientCallStreamObserver<Frame> requests;
    private volatile RuntimeException ended;

    GrpcLink(ManagedChannel channel, Inbox inbox, long limitNs) {
        this.channel = channel;
        incoming = new Incoming(inbox);
        this.limitNs = limitNs;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Frame> requests) {
        this.requests = requests;
        requests.setOnReadyHandler(waiting::wake);
    }

    @Override
    public void onNext(Frame frame) {
        byte[] message = frame.getMessage().toByteArray();
        if (frame.getKind() == Frame.Kind.KIND_BROADCAST) {
            incoming.delivered(message);
        } else {
            incoming.answered(message);
        }
    }

    @Override
    public void onError(Throwable why) {
        ended = Status.fromThrowable(why).asRuntimeException();
        waiting.wake();
        incoming.failed(ended);
    }

    @Override
    public void onCompleted() {
        onError(Status.UNAVAILABLE.withDescription("the server ended the call").asException());
    }

    /** Waits until the library would take a message without keeping it: connected, and not behind. */
    void awaitReady() throws TimeoutException, InterruptedException {
        waiting.until(() -> ended != null || requests.isReady(), limitNs,
                "not connected in time, or the server stopped reading");
        if (ended != null) {
            throw ended;
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        incoming.await(reply);
        RuntimeException failed = ended;
        if (failed != null) {
            throw failed;
        }
        requests.onNext(GrpcFrames.frame(Frame.Kind.KIND_ECHO, message));
    }

    @Override
    public void broadcast(byte[] message) throws TimeoutException, InterruptedException {
        awaitReady();
        requests.onNext(GrpcFrames.frame(Frame.Kind.KIND_BROADCAST, message));
    }

    @Override
    public void close() {
        if (ended == null) {
            requests.onCompleted();
        }
        try {
            channel.shutdown().awaitTermination(GOODBYE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    public void abandon() {
        channel.shutdownNow();
    }
}
