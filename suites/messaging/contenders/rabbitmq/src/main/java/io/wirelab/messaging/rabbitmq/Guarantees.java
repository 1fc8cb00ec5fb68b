package io.wirelab.messaging.rabbitmq;

import io.wirelab.sdk.Fields;

/**
 * What is promised of a message, and how long that may take.
 *
 * @param confirmed the broker confirms what is published, and receivers acknowledge what they get
 * @param prefetch messages that a receiver may have unacknowledged
 * @param limitMs the longest wait for the broker, in milliseconds
 */
record Guarantees(boolean confirmed, int prefetch, int limitMs) {

    static Guarantees of(Fields parameters, int limitMs) {
        boolean confirmed = parameters.flag("confirms");
        int prefetch = confirmed ? parameters.integerWithin("prefetch", 1, 65_535) : 0;
        return new Guarantees(confirmed, prefetch, limitMs);
    }
}
