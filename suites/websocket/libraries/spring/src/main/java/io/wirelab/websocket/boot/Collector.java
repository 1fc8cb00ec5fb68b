package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** The garbage collector of this JVM, held to the one that the tuning names. */
final class Collector {
    private Collector() {}

    /** Fails where the tuning names a collector and the JVM took another. */
    static void check(Fields tuning) {
        List<String> here = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        String wanted = tuning.text("collector", "");
        if (here.stream().noneMatch(name -> name.startsWith(wanted))) {
            throw new IllegalStateException(
                    "the tuning asks for the collector " + wanted + ", the JVM has " + here);
        }
    }
}
