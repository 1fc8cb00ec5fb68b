package io.wirelab.messaging.redis;

import io.wirelab.messaging.Messaging;

/** The contender {@code redis-pubsub}; the server is a neutral program. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, RedisTransport::new, null, null);
    }
}
