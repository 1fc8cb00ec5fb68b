package io.wirelab.messaging;

import java.util.List;

/** The connection of one user. For one thread at a time, but for what the library calls back. */
public interface Link {

    /**
     * Joins, where more is to be done than to open a connection: subscribing, or a greeting. A link that
     * could not join is closed.
     *
     * @throws Exception as the library says it
     */
    default void join() throws Exception {}

    /**
     * Sends a message that comes back to this user alone.
     *
     * <p>A library whose call blocks until the answer is there gives it to {@code reply} before this
     * returns; one that calls back does so whenever it comes. The next message follows only then.
     *
     * @param message not changed any more, and not kept beyond the reply
     * @throws Exception as the library says it; then {@code reply} is not needed any more
     */
    void echo(byte[] message, Reply reply) throws Exception;

    /**
     * Sends a message to all users, the sender included; returns when the library lets its caller
     * go on.
     *
     * @param message not changed any more
     * @throws Exception as the library says it
     */
    void broadcast(byte[] message) throws Exception;

    /**
     * Sends messages to all users, one after the other, without waiting for one before the next
     * where the library can do that; returns when it lets its caller go on.
     *
     * @param messages not changed any more
     * @throws Exception as the library says it
     */
    default void stream(List<byte[]> messages) throws Exception {
        for (byte[] message : messages) {
            broadcast(message);
        }
    }

    /**
     * Competes from its return on for the messages of the one queue that users share. A message is
     * settled, where the guarantee asks for it, when {@code inbox} has returned.
     *
     * @throws Exception as the library says it
     */
    default void compete(Inbox inbox) throws Exception {
        throw new UnsupportedOperationException("no queue that users share");
    }

    /**
     * Sends a message to the queue that users share, of whom one gets it; returns when the library
     * lets its caller go on.
     *
     * @param message not changed any more
     * @throws Exception as the library says it
     */
    default void enqueue(byte[] message) throws Exception {
        throw new UnsupportedOperationException("no queue that users share");
    }

    /** Leaves, with what the library's protocol has for a goodbye. */
    void close() throws Exception;

    /** Leaves without a word, as a process does that is killed. */
    default void abandon() throws Exception {
        close();
    }
}
