package io.wirelab.messaging;

import io.wirelab.sdk.Server;
import java.util.Map;

/** A server or responder of ours, which says in each answer when it gave it. */
public interface StampingServer extends Server {
    @Override
    default Map<String, ?> facts() {
        return Map.of("stamps", true);
    }
}
