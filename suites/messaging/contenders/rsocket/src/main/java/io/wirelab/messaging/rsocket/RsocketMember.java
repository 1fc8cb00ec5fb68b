package io.wirelab.messaging.rsocket;

import io.netty.buffer.ByteBuf;
import io.rsocket.Payload;
import io.rsocket.util.ByteBufPayload;
import io.wirelab.messaging.Room;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.FluxSink;

/** One user's channel at the server: takes what the user sends, and sends it what others do. */
final class RsocketMember extends BaseSubscriber<Payload> implements Room.Member {
    private final FluxSink<Payload> outgoing;
    private final Room<RsocketMember> room;
    /** Asked for at once: the network is told once for half as many messages. */
    private final int credit;
    private final AtomicLong taken = new AtomicLong();
    private boolean greeted;

    RsocketMember(FluxSink<Payload> outgoing, Room<RsocketMember> room, int credit) {
        this.outgoing = outgoing;
        this.room = room;
        this.credit = credit;
        outgoing.onRequest(more -> room.ready(this));
        outgoing.onDispose(this::leave);
    }

    /** The hello that opened the channel is answered when the user is in the room. */
    @Override
    protected void hookOnNext(Payload payload) {
        if (greeted) {
            broadcast(payload);
        } else {
            greeted = true;
            payload.release();
            room.join(this);
            outgoing.next(Payloads.hello());
            requestNext();
        }
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(credit);
    }

    @Override
    protected void hookOnComplete() {
        outgoing.complete();
    }

    @Override
    protected void hookOnError(Throwable gone) {
        outgoing.complete();
    }

    private void leave() {
        room.leave(this);
        cancel();
    }

    /** The bytes are shared, never copied. */
    private void broadcast(Payload payload) {
        ByteBuf message = payload.sliceData();
        room.broadcast(each -> each.send(ByteBufPayload.create(message.retainedDuplicate())), this);
        payload.release();
    }

    /** Sends, or keeps until the user asks for it. */
    private void send(Payload payload) {
        if (outgoing.isCancelled()) {
            payload.release();
        } else {
            outgoing.next(payload);
        }
    }

    @Override
    public boolean isReady() {
        return outgoing.requestedFromDownstream() > 0;
    }

    /** One message of the user's has been dealt with. */
    @Override
    public void requestNext() {
        int half = Math.max(1, credit / 2);
        if (taken.incrementAndGet() % half == 0) {
            request(half);
        }
    }
}
