package io.wirelab.messaging.jms.openmq;

import io.wirelab.messaging.jms.Jms;

/** The contender {@code jms-openmq}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Jms.main(arguments, OpenMqProvider::new, OpenMqBroker::new);
    }
}
