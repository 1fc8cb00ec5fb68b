package io.wirelab.messaging.mqtt;

import io.wirelab.messaging.Reply;
import java.util.concurrent.atomic.AtomicInteger;

/** An echo under way: it ends when its message is back and, from QoS 1 on, the broker has acknowledged it. */
final class Awaited {
    private final long id;
    private final Reply reply;
    private final AtomicInteger missing;
    private volatile byte[] message;

    Awaited(long id, Reply reply, boolean acknowledged) {
        this.id = id;
        this.reply = reply;
        missing = new AtomicInteger(acknowledged ? 2 : 1);
    }

    long id() {
        return id;
    }

    void returned(byte[] body) {
        message = body;
        one();
    }

    void lost(Throwable why) {
        reply.failed(why);
    }

    void acknowledged() {
        one();
    }

    private void one() {
        if (missing.decrementAndGet() == 0) {
            reply.arrived(message);
        }
    }
}
