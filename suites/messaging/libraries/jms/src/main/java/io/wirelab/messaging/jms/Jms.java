package io.wirelab.messaging.jms;

import io.wirelab.messaging.Messaging;
import io.wirelab.sdk.Server;

/** The workers of a contender that speaks JMS: its provider and its broker are all it adds. */
public final class Jms {
    private Jms() {}

    /** Plays the role given; {@code broker} is the role {@code server}. Does not return. */
    public static void main(String[] arguments, Provider.Maker provider, Server.Maker broker) {
        Messaging.main(arguments,
                spec -> new JmsTransport(spec, provider.open(spec)),
                broker,
                spec -> new JmsResponder(spec, provider.open(spec)));
    }
}
