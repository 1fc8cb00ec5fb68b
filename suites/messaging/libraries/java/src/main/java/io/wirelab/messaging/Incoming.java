package io.wirelab.messaging;

/** Takes what comes to one user by one connection: what others send, and the answer it waits for. */
public final class Incoming {
    private final Inbox inbox;
    private volatile Reply awaited;

    /** Hands on to {@code inbox} what others send; null where nobody does. */
    public Incoming(Inbox inbox) {
        this.inbox = inbox;
    }

    /** From now on an answer is for {@code reply}. */
    public void await(Reply reply) {
        awaited = reply;
    }

    /** A message came that was sent to everybody. */
    public void delivered(byte[] message) {
        inbox.delivered(message);
    }

    /** An answer came. */
    public void answered(byte[] message) {
        Reply reply = awaited;
        if (reply != null) {
            reply.arrived(message);
        }
    }

    /** No answer will come any more. */
    public void failed(Throwable why) {
        Reply reply = awaited;
        if (reply != null) {
            reply.failed(why);
        }
    }
}
