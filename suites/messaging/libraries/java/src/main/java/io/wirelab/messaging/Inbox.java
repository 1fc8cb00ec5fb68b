package io.wirelab.messaging;

/** Takes what is sent to one user, on whatever threads it comes. */
public interface Inbox {

    /** A message, as an array of its exact length that is not changed any more. */
    void delivered(byte[] message);

    /** A message of a queue that another user may have got before, as the broker says. */
    default void redelivered(byte[] message) {
        delivered(message);
    }
}
