package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.Version;
import io.wirelab.sdk.Fields;
import java.util.Map;

/** The threads that do everything, and what they are. */
final class EventLoops {
    private EventLoops() {}

    /** Starts as many event loops as the tuning asks for each processor, on Java's selectors. */
    static EventLoopGroup start(Fields tuning) {
        return new MultiThreadIoEventLoopGroup(
                tuning.integerWithin("event_loops_per_processor", 1, 64)
                        * Runtime.getRuntime().availableProcessors(),
                NioIoHandler.newFactory());
    }

    /** Netty, as its jars say it. */
    static Map<String, String> library() {
        Version buffers = Version.identify(ByteBufAllocator.class.getClassLoader())
                .get("netty-buffer");
        return Map.of("name", "Netty", "version", buffers.artifactVersion());
    }
}
