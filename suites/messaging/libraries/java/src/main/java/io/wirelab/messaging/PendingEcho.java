package io.wirelab.messaging;

/**
 * The one echo that a user waits for, where a message says of which call it is: what comes too late is
 * nobody's any more. From any threads.
 *
 * @param <I> what the library tells echoes apart by
 */
public final class PendingEcho<I> {
    private volatile Awaited<I> awaited;

    /** Waits from now on for the message of {@code id}, and as {@link Awaited} says for more. */
    public Awaited<I> begin(I id, Reply reply, boolean acknowledged) {
        Awaited<I> call = new Awaited<>(id, reply, acknowledged);
        awaited = call;
        return call;
    }

    /** A message came back that is of {@code id}; it may be null where the message says nothing. */
    public void answered(I id, byte[] message) {
        Awaited<I> call = awaited;
        if (call != null && call.id().equals(id)) {
            call.returned(message);
        }
    }

    /** Nothing will come back any more. */
    public void lost(Throwable why) {
        Awaited<I> call = awaited;
        if (call != null) {
            call.lost(why);
        }
    }

    /** Tells whether the last message has never come back. */
    public boolean isUnanswered() {
        Awaited<I> call = awaited;
        return call != null && !call.hasReturned();
    }
}
