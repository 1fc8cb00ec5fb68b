package io.wirelab.messaging.aeron;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** The server's publications to single users, by the session of what they send. For one thread. */
final class Replies {
    private static final UnsafeBuffer WELCOME = AeronWire.header(AeronWire.WELCOME, 0);

    private final Media media;
    private final Int2ObjectHashMap<Sender> bySession = new Int2ObjectHashMap<>();
    private final Deque<Integer> ungreeted = new ArrayDeque<>();

    Replies(Media media) {
        this.media = media;
    }

    /** A user waits for answers at {@code port} of the loopback. */
    void add(int session, int port) {
        remove(session);
        String channel = media.towards("127.0.0.1:" + port);
        bySession.put(session, new Sender(media.publication(channel, AeronWire.REPLIES),
                media.idle(), media.limitNs()));
        ungreeted.add(session);
    }

    /** Greets those who can be reached by now; how many. */
    int greet() {
        int before = ungreeted.size();
        ungreeted.removeIf(session -> {
            Sender user = bySession.get(session);
            return user == null || user.tried(WELCOME);
        });
        return before - ungreeted.size();
    }

    void answer(int session, int number, byte[] message) {
        Sender user = bySession.get(session);
        if (user == null) {
            System.err.println("an answer was dropped: its receiver never said hello");
            return;
        }
        try {
            user.send(AeronWire.header(AeronWire.ECHO, number), message);
        } catch (OfferFailed gone) {
            System.err.println("an answer was dropped: " + gone.getMessage());
        }
    }

    void remove(int session) {
        Sender gone = bySession.remove(session);
        if (gone != null) {
            gone.close();
        }
    }
}
