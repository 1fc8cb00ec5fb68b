package io.wirelab.messaging.udp;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Map;

/** A socket for each user; what UDP loses is lost. */
final class DatagramTransport implements Transport {
    private final InetSocketAddress server;
    private final int limitMs;

    public static void main(String[] arguments) {
        Messaging.main(arguments, DatagramTransport::new, DatagramServer::new, null);
    }

    DatagramTransport(Spec spec) {
        server = spec.endpointAddress("server");
        limitMs = spec.limits().operationMs();
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.net.DatagramSocket", "version",
                System.getProperty("java.version"));
    }

    @Override
    public Link connect(int user, Inbox inbox) throws IOException {
        DatagramSocket socket = new DatagramSocket();
        try {
            socket.connect(server);
            return new DatagramLink(socket, user, inbox, limitMs);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }
}
