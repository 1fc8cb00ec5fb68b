package io.wirelab.messaging.mesh;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.MeshRegistry;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** A connection between every two users, and one of each to who knows where they are. */
final class MeshTransport implements Transport {
    private final InetSocketAddress registry;
    private final int limitMs;

    public static void main(String[] arguments) {
        Messaging.main(arguments, MeshTransport::new, MeshRegistry::new, null);
    }

    MeshTransport(Spec spec) {
        registry = spec.endpointAddress("server");
        limitMs = spec.limits().operationMs();
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.net.Socket", "version", System.getProperty("java.version"));
    }

    @Override
    public Link connect(int user, Inbox inbox) throws IOException {
        return new MeshMember(user, inbox, registry, limitMs);
    }
}
