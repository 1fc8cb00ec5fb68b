package io.wirelab.messaging.rsocket;

import io.netty.buffer.ByteBufUtil;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.util.ByteBufPayload;
import io.wirelab.sdk.Fields;
import java.util.Map;
import reactor.netty.resources.LoopResources;

/** Payloads of both ends, and the library that they use for them. */
final class Payloads {
    private static final String VERSION = "1.1.5";

    private Payloads() {}

    /** Says that somebody is there; carries no message. */
    static Payload hello() {
        return ByteBufPayload.create(new byte[0]);
    }

    /** A payload around {@code message}, which nobody changes any more. */
    static Payload of(byte[] message) {
        return ByteBufPayload.create(message);
    }

    /** A copy of what is in {@code payload}, which is released. */
    static byte[] taken(Payload payload) {
        try {
            return ByteBufUtil.getBytes(payload.sliceData());
        } finally {
            payload.release();
        }
    }

    /** Event loops, as many as the tuning asks for each processor. */
    static LoopResources loops(Fields tuning) {
        return LoopResources.create("rsocket",
                tuning.integerWithin("event_loops_per_processor", 1, 64)
                        * Runtime.getRuntime().availableProcessors(), true);
    }

    /** Its jars say a version only where they have not been repackaged. */
    static Map<String, String> library() {
        String version = RSocket.class.getPackage().getImplementationVersion();
        return Map.of("name", "rsocket-java", "version", version == null ? VERSION : version);
    }
}
