package io.wirelab.messaging.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.DirectBuffer;

/** A publication to the server, and a subscription with a port of its own for what it answers. */
final class AeronUser implements Link {
    private static final byte[] NOTHING = {};

    private final Media media;
    private final Polling polling;
    private final Subscription replies;
    private final Sender requests;
    private final String publisher;
    private final Inbox inbox;
    private Subscription news;
    private int number;
    private volatile CountDownLatch welcome = new CountDownLatch(1);
    private final PendingEcho<Integer> pending = new PendingEcho<>();

    AeronUser(Media media, Polling polling, String server, String publisher, Inbox inbox) {
        this.media = media;
        this.polling = polling;
        this.publisher = publisher;
        this.inbox = inbox;
        replies = media.aeron().addSubscription(Media.at(null), AeronWire.REPLIES);
        polling.add(replies, new FragmentAssembler(this::answered));
        requests = new Sender(media.publication(media.towards(server), AeronWire.REQUESTS),
                media.idle(), media.limitNs());
    }

    /** Greets the server, and receives from the return on what goes to everybody. */
    @Override
    public void join() throws OfferFailed, TimeoutException, InterruptedException {
        greet();
        if (inbox != null) {
            news = media.aeron().addSubscription(Media.from(publisher), AeronWire.NEWS);
            polling.add(news, new FragmentAssembler((buffer, offset, length, header) ->
                    inbox.delivered(AeronWire.message(buffer, offset, length))));
            media.await(news::isConnected, "the publisher");
        }
    }

    /** Tells the server where to answer, and waits until it does. */
    private void greet() throws OfferFailed, TimeoutException, InterruptedException {
        String address = media.addressOf(replies);
        media.await(requests::isConnected, "the server");
        welcome = new CountDownLatch(1);
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        requests.send(AeronWire.header(AeronWire.HELLO, port), NOTHING);
        if (!welcome.await(media.limitNs(), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("the server did not answer in time");
        }
    }

    private void answered(DirectBuffer buffer, int offset, int length, Header header) {
        if (AeronWire.kind(buffer, offset) == AeronWire.WELCOME) {
            welcome.countDown();
        } else {
            pending.answered(AeronWire.number(buffer, offset),
                    AeronWire.message(buffer, offset, length));
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) throws Exception {
        if (pending.isUnanswered()) {
            // Never answered: the server may be another one, which does not know this user.
            greet();
        }
        pending.begin(++number, reply, false);
        requests.send(AeronWire.header(AeronWire.ECHO, number), message);
    }

    @Override
    public void broadcast(byte[] message) throws OfferFailed {
        requests.send(AeronWire.header(AeronWire.BROADCAST, 0), message);
    }

    @Override
    public void close() {
        requests.close();
        polling.remove(replies);
        if (news != null) {
            polling.remove(news);
        }
    }
}
