package io.wirelab.messaging;

/** Takes the answer of one echo, on whatever thread it comes. What comes second is ignored. */
public interface Reply {

    /** The message has come back, as an array of its exact length. */
    void arrived(byte[] message);

    /** It will not come back. */
    void failed(Throwable why);
}
