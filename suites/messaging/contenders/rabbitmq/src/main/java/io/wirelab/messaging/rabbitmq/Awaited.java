package io.wirelab.messaging.rabbitmq;

import io.wirelab.messaging.Reply;
import java.util.concurrent.atomic.AtomicInteger;

/** An echo under way: it ends when its message is back and, where confirmed, the broker has said so. */
final class Awaited {
    private final String id;
    private final Reply reply;
    private final AtomicInteger missing;
    private volatile byte[] message;

    Awaited(String id, Reply reply, boolean confirmed) {
        this.id = id;
        this.reply = reply;
        missing = new AtomicInteger(confirmed ? 2 : 1);
    }

    String id() {
        return id;
    }

    void returned(byte[] body) {
        message = body;
        one();
    }

    void lost(Throwable why) {
        reply.failed(why);
    }

    void confirmed() {
        one();
    }

    private void one() {
        if (missing.decrementAndGet() == 0) {
            reply.arrived(message);
        }
    }
}
