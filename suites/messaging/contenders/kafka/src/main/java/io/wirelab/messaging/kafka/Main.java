package io.wirelab.messaging.kafka;

import io.wirelab.messaging.Messaging;

/** The contender {@code kafka}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, KafkaTransport::new, null, null);
    }
}
