package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.util.Map;

/** A server of ours that publishes what is for everybody from a second address. */
public interface PublishingServer extends StampingServer {
    /** The name of the fact, and of the second address. */
    String PUBLISHER = "publisher";

    /** Address from which it publishes. */
    String publisher();

    @Override
    default Map<String, ?> facts() {
        return Map.of("stamps", true, PUBLISHER, publisher());
    }

    /** Address from which the server of a client's trial publishes. */
    static String publisherOf(Spec spec) {
        return spec.facts().object("server").text(PUBLISHER);
    }
}
