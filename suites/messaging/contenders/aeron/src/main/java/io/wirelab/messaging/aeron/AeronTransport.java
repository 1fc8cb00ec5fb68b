package io.wirelab.messaging.aeron;

import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.DriverTimeoutException;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.PublishingServer;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.Map;

/** One driver and one Aeron client for all users, one thread that polls for all of them. */
final class AeronTransport implements Transport {
    private final Media media;
    private final Polling polling;
    private final String server;
    private final String publisher;

    public static void main(String[] arguments) {
        Messaging.main(arguments, AeronTransport::new, AeronServer::new, null);
    }

    AeronTransport(Spec spec) {
        server = spec.endpoints().text("server");
        publisher = PublishingServer.publisherOf(spec);
        media = new Media(spec);
        polling = new Polling(media.idle());
    }

    @Override
    public Map<String, String> library() {
        return AeronWire.LIBRARY;
    }

    @Override
    public Link connect(int user, Inbox inbox) {
        return new AeronUser(media, polling, server, publisher, inbox);
    }

    @Override
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof OfferFailed failed) {
            return failed.status();
        }
        if (thrown instanceof DriverTimeoutException) {
            return Status.TIMEOUT;
        }
        return thrown instanceof AeronException ? Status.ERROR
                : Transport.super.statusOf(thrown);
    }

    @Override
    public void close() {
        polling.close();
        media.close();
    }
}
