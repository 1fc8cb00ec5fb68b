package io.wirelab.messaging.jms.activemq;

import io.wirelab.messaging.jms.Jms;

/** The contender {@code jms-activemq}. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Jms.main(arguments, ClassicProvider::new, ClassicBroker::new);
    }
}
