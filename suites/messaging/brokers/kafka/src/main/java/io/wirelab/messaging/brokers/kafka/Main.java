package io.wirelab.messaging.brokers.kafka;

import io.wirelab.sdk.ServingPart;

/** The neutral program {@code kafka}. */
public final class Main {
    private Main() {}

    /** Serves for the length of a trial. */
    public static void main(String[] arguments) {
        ServingPart.main(KafkaBroker::new);
    }
}
