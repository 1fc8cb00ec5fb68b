package io.wirelab.messaging;

/**
 * One of the users who share a queue, at work: a message is counted when it is done with it. Who dies
 * does so at work, and is never done with that message.
 */
final class Competitor implements Inbox {
    private static final long POLL_MS = 1;

    private final Deliveries deliveries;
    private final int user;
    private final long workMs;
    private volatile boolean doomed;
    private volatile boolean fallen;
    private volatile boolean dead;

    Competitor(Deliveries deliveries, int user, long workMs) {
        this.deliveries = deliveries;
        this.user = user;
        this.workMs = workMs;
    }

    @Override
    public void delivered(byte[] message) {
        work(message, false);
    }

    @Override
    public void redelivered(byte[] message) {
        work(message, true);
    }

    private void work(byte[] message, boolean again) {
        try {
            Thread.sleep(workMs);
            while (doomed && !dead) {
                fallen = true;
                Thread.sleep(POLL_MS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        if (dead) {
            throw new IllegalStateException("user " + user + " was made to fail, and takes no message");
        }
        deliveries.taken(user, message, again);
    }

    /** It will die at its next message. */
    void doom() {
        doomed = true;
    }

    /** Tells whether it holds a message that it will never be done with. */
    boolean hasFallen() {
        return fallen;
    }

    /** Gives up what it holds. */
    void die() {
        dead = true;
    }
}
