package io.wirelab.messaging.mqtt;

import io.wirelab.messaging.Messaging;

/** The contenders {@code mqtt} and {@code mqtt-qos1}; the server is a neutral program. */
public final class Main {
    private Main() {}

    /** Plays the role given. */
    public static void main(String[] arguments) {
        Messaging.main(arguments, MqttTransport::new, null, null);
    }
}
