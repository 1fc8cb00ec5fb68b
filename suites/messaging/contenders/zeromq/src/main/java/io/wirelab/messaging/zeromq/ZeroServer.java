package io.wirelab.messaging.zeromq;

import io.wirelab.messaging.Message;
import io.wirelab.messaging.PublishingServer;
import io.wirelab.messaging.Rounds;
import io.wirelab.messaging.SecondAddress;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** A ROUTER that answers, and an XPUB that sends to everybody; one thread owns both. */
final class ZeroServer implements PublishingServer {
    /** Longest time for which the thread may not hear that it is to end. */
    private static final long POLL_MS = 100;

    private static final String TCP = "tcp://";

    /** Requests taken before subscriptions are looked at again. */
    private static final int BURST = 256;

    private final ZContext context = ZeroWire.context(16);
    private final ZMQ.Socket router;
    private final ZMQ.Socket publisher;
    private final ZMQ.Poller poller = context.createPoller(2);
    private final Rounds serving;

    ZeroServer(Spec spec) throws IOException {
        int mark = spec.parameters().integerWithin("high_water_mark", 1, Integer.MAX_VALUE);
        router = ZeroWire.socket(context, SocketType.ROUTER, mark, 0);
        router.setRouterMandatory(true);
        router.bind(TCP + spec.listen());
        publisher = ZeroWire.socket(context, SocketType.XPUB, mark, -1);
        publisher.setXpubVerbose(true);
        // Without it a subscriber that is too far behind would lose messages without a word.
        publisher.setXpubNoDrop(true);
        SecondAddress second = new SecondAddress(spec, PUBLISHER);
        publisher.bind(TCP + second.wanted());
        second.taken(publisher.getLastEndpoint().substring(TCP.length()));
        poller.register(router, ZMQ.Poller.POLLIN);
        poller.register(publisher, ZMQ.Poller.POLLIN);
        serving = new Rounds("server", this::serve);
    }

    private void serve() {
        boolean idle = !greet();
        for (int taken = 0; taken < BURST && answer(); taken++) {
            idle = false;
        }
        if (idle) {
            poller.poll(POLL_MS);
        }
    }

    /** Tells one new subscriber that it is heard; false when there is none. */
    private boolean greet() {
        byte[] request = publisher.recv(ZMQ.DONTWAIT);
        if (request == null) {
            return false;
        }
        if (request.length > 1 && request[0] == ZeroWire.SUBSCRIBE
                && request[1] == ZeroWire.WELCOME) {
            publisher.send(Arrays.copyOfRange(request, 1, request.length));
        }
        return true;
    }

    /** Serves one request; false when there is none. */
    private boolean answer() {
        byte[] sender = router.recv(ZMQ.DONTWAIT);
        if (sender == null) {
            return false;
        }
        byte[] kind = router.recv();
        byte[] message = router.recv();
        if (kind[0] == ZeroWire.BROADCAST[0]) {
            publisher.send(ZeroWire.ALL, ZMQ.SNDMORE);
            publisher.send(message);
        } else {
            Message.stampServed(message);
            reply(sender, message);
        }
        return true;
    }

    private void reply(byte[] sender, byte[] message) {
        try {
            if (!router.send(sender, ZMQ.SNDMORE | ZMQ.DONTWAIT) || !router.send(message)) {
                System.err.println("an answer was dropped: its receiver is at the mark");
            }
        } catch (ZMQException gone) {
            System.err.println("an answer was dropped: " + gone.getMessage());
        }
    }

    @Override
    public Map<String, String> library() {
        return ZeroWire.LIBRARY;
    }

    @Override
    public String endpoint() {
        return router.getLastEndpoint();
    }

    @Override
    public String publisher() {
        return publisher.getLastEndpoint();
    }

    @Override
    public void close() {
        serving.close();
        context.close();
    }
}
