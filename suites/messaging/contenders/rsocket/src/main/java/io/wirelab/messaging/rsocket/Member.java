package io.wirelab.messaging.rsocket;

import io.rsocket.Payload;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.FluxSink;

/** One user's channel at the server: takes what the user sends, and sends it what others do. */
final class Member extends BaseSubscriber<Payload> {
    private final FluxSink<Payload> outgoing;
    private final Room room;
    /** Asked for at once: the network is told once for half as many messages. */
    private final int credit;
    private final AtomicLong taken = new AtomicLong();
    private boolean greeted;

    Member(FluxSink<Payload> outgoing, Room room, int credit) {
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
            room.broadcast(payload, this);
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

    /** Sends, or keeps until the user asks for it. */
    void send(Payload payload) {
        if (outgoing.isCancelled()) {
            payload.release();
        } else {
            outgoing.next(payload);
        }
    }

    boolean wantsMore() {
        return outgoing.requestedFromDownstream() > 0;
    }

    /** One message of the user's has been dealt with. */
    void requestNext() {
        int half = Math.max(1, credit / 2);
        if (taken.incrementAndGet() % half == 0) {
            request(half);
        }
    }
}
