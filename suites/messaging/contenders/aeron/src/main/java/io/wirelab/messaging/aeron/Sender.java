package io.wirelab.messaging.aeron;

import io.aeron.Publication;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Offers messages, again while the receiver is behind. For one thread at a time. */
final class Sender {
    private final Publication publication;
    private final IdleStrategy idle;
    private final long limitNs;

    Sender(Publication publication, IdleStrategy idle, long limitNs) {
        this.publication = publication;
        this.idle = idle;
        this.limitNs = limitNs;
    }

    /** Sends header and message as one. */
    void send(UnsafeBuffer header, byte[] message) throws OfferFailed {
        UnsafeBuffer body = new UnsafeBuffer(message);
        long deadlineNs = System.nanoTime() + limitNs;
        idle.reset();
        while (true) {
            long result = publication.offer(header, 0, header.capacity(), body, 0, message.length);
            if (result > 0) {
                return;
            }
            if (!OfferFailed.isPassing(result) || System.nanoTime() > deadlineNs) {
                throw new OfferFailed(result);
            }
            idle.idle();
        }
    }

    /** Tells whether the header alone went out at once. */
    boolean tried(UnsafeBuffer header) {
        return publication.offer(header) > 0;
    }

    boolean isConnected() {
        return publication.isConnected();
    }

    void close() {
        publication.close();
    }
}
