package io.wirelab.messaging;

/** Takes what is broadcast to one user, on whatever threads it comes. */
public interface Inbox {

    /** A message, as an array of its exact length that is not changed any more. */
    void delivered(byte[] message);
}
