package io.wirelab.messaging.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.Room;
import io.wirelab.messaging.grpc.protocol.Frame;

/** One user at the server: its call. gRPC calls it from one thread at a time, others send to it. */
final class GrpcMember implements StreamObserver<Frame>, Room.Member {
    private final ServerCallStreamObserver<Frame> replies;
    private final Room<GrpcMember> room;
    private boolean left;

    GrpcMember(ServerCallStreamObserver<Frame> replies, Room<GrpcMember> room) {
        this.replies = replies;
        this.room = room;
        replies.disableAutoRequest();
        replies.setOnReadyHandler(() -> room.ready(this));
        replies.setOnCancelHandler(this::leave);
        room.join(this);
        requestNext();
    }

    @Override
    public void requestNext() {
        replies.request(1);
    }

    private synchronized void send(Frame frame) {
        if (!left) {
            replies.onNext(frame);
        }
    }

    @Override
    public boolean isReady() {
        return replies.isReady();
    }

    @Override
    public void onNext(Frame frame) {
        if (frame.getKind() == Frame.Kind.KIND_ECHO) {
            byte[] message = frame.getMessage().toByteArray();
            Message.stampServed(message);
            send(GrpcFrames.frame(Frame.Kind.KIND_ECHO, message));
            requestNext();
        } else {
            room.broadcast(each -> each.send(frame), this);
        }
    }

    @Override
    public void onError(Throwable gone) {
        leave();
    }

    @Override
    public void onCompleted() {
        if (leave()) {
            replies.onCompleted();
        }
    }

    private boolean leave() {
        boolean first;
        synchronized (this) {
            first = !left;
            left = true;
        }
        room.leave(this);
        return first;
    }
}
