package io.wirelab.messaging.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.PublishingServer;
import io.wirelab.messaging.Rounds;
import io.wirelab.messaging.SecondAddress;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** One thread polls what users send; it answers them, and publishes what is for everybody. */
final class AeronServer implements PublishingServer {
    private static final int FRAGMENTS = 64;
    private static final UnsafeBuffer TO_ALL = AeronWire.header(AeronWire.BROADCAST, 0);

    private final Media media;
    private final Subscription requests;
    private final String endpoint;
    private final String publisher;
    private final Sender everybody;
    private final Replies replies;
    private final Queue<Integer> left = new ConcurrentLinkedQueue<>();
    private final FragmentAssembler assembler = new FragmentAssembler(this::take);
    private final IdleStrategy idle;
    private final Rounds serving;

    AeronServer(Spec spec) throws IOException, TimeoutException {
        media = new Media(spec);
        replies = new Replies(media);
        requests = media.aeron().addSubscription(Media.at(spec.listen()), AeronWire.REQUESTS,
                null, this::gone);
        endpoint = media.addressOf(requests);
        SecondAddress second = new SecondAddress(spec, PUBLISHER);
        Publication news = media.publication(media.towardsAll(second.wanted()), AeronWire.NEWS);
        publisher = media.await(() -> news.localSocketAddresses().stream().findFirst().orElse(null),
                "a port to publish from");
        second.taken(publisher);
        everybody = new Sender(news, media.idle(), Long.MAX_VALUE / 2);
        idle = media.idle();
        serving = new Rounds("server", this::serve);
    }

    /** On Aeron's own thread, where nothing may be closed. */
    private void gone(Image image) {
        left.add(image.sessionId());
    }

    private void serve() {
        int work = requests.poll(assembler, FRAGMENTS) + replies.greet();
        for (Integer session = left.poll(); session != null; session = left.poll()) {
            assembler.freeSessionBuffer(session);
            replies.remove(session);
        }
        idle.idle(work);
    }

    private void take(DirectBuffer buffer, int offset, int length, Header header) {
        int number = AeronWire.number(buffer, offset);
        switch (AeronWire.kind(buffer, offset)) {
            case AeronWire.HELLO -> replies.add(header.sessionId(), number);
            case AeronWire.ECHO -> {
                byte[] message = AeronWire.message(buffer, offset, length);
                Message.stampServed(message);
                replies.answer(header.sessionId(), number, message);
            }
            case AeronWire.BROADCAST -> publish(AeronWire.message(buffer, offset, length));
            default -> System.err.println("a message of no known kind came");
        }
    }

    private void publish(byte[] message) {
        try {
            everybody.send(TO_ALL, message);
        } catch (OfferFailed nobody) {
            System.err.println("a broadcast was dropped: " + nobody.getMessage());
        }
    }

    @Override
    public Map<String, String> library() {
        return AeronWire.LIBRARY;
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    @Override
    public String publisher() {
        return publisher;
    }

    @Override
    public void close() {
        serving.close();
        media.close();
    }
}
