package io.wirelab.messaging;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An echo that a broker brings back: it ends when its message has come and, where the guarantee asks
 * for it, the broker has acknowledged it. From any threads.
 *
 * @param <I> what the library tells echoes apart by
 */
public final class Awaited<I> {
    private final I id;
    private final Reply reply;
    private final AtomicInteger missing;
    private volatile byte[] message;

    /** Waits for the message, and for an acknowledgement where the echo is {@code acknowledged}. */
    public Awaited(I id, Reply reply, boolean acknowledged) {
        this.id = id;
        this.reply = reply;
        missing = new AtomicInteger(acknowledged ? 2 : 1);
    }

    /** Identifier by which the library tells it apart. */
    public I id() {
        return id;
    }

    /** The message has come back. */
    public void returned(byte[] body) {
        message = body;
        one();
    }

    /** Tells whether the message has come back. */
    boolean hasReturned() {
        return message != null;
    }

    /** It will not. */
    public void lost(Throwable why) {
        reply.failed(why);
    }

    /** The broker has acknowledged it. */
    public void acknowledged() {
        one();
    }

    private void one() {
        if (missing.decrementAndGet() == 0) {
            reply.arrived(message);
        }
    }
}
