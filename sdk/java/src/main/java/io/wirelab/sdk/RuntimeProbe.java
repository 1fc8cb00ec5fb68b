package io.wirelab.sdk;

import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Figures that only the JVM itself can tell, once a second from a daemon thread: the heap in use
 * and what the collector cost. CPU and memory of the process are the core's to measure.
 */
final class RuntimeProbe {
    private static final long PERIOD_NS = 1_000_000_000;

    /** Kind of {@code heap_bytes}, so that nobody compares it with another runtime's figure. */
    static final String HEAP_KIND = "used heap (MemoryMXBean), garbage not yet collected included";

    private final Events events;
    private final LongSupplier records;
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<GarbageCollectorMXBean> pauses;

    /** Tells {@code events}, together with how many {@code records} there are. */
    RuntimeProbe(Events events, LongSupplier records) {
        this.events = events;
        this.records = records;
        // ZGC and Shenandoah have a second bean for their concurrent cycles, which stop nobody.
        this.pauses = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !bean.getName().endsWith(" Cycles"))
                .toList();
    }

    /** Reports once a second from {@code firstNs} on. */
    void start(long firstNs) {
        Thread thread = new Thread(() -> report(firstNs), "wirelab-runtime");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reports now. */
    void say() {
        events.runtime(figures());
    }

    /**
     * The figures: heap in bytes, collections and their pauses in nanoseconds since the start.
     * The JVM adds pauses up exactly and tells the sum in whole milliseconds.
     */
    Map<String, Object> figures() {
        long count = 0;
        long pauseMs = 0;
        for (GarbageCollectorMXBean collector : pauses) {
            count += Math.max(0, collector.getCollectionCount());
            pauseMs += Math.max(0, collector.getCollectionTime());
        }
        return Map.of(
                "heap_bytes", memory.getHeapMemoryUsage().getUsed(),
                "heap_kind", HEAP_KIND,
                "gc_count", count,
                "gc_pause_ns", pauseMs * 1_000_000);
    }

    private void report(long firstNs) {
        Ticker ticker = new Ticker(firstNs, PERIOD_NS, () -> false);
        try {
            long saidNs = firstNs - PERIOD_NS;
            for (long tick = 0; ticker.await(tick); tick++) {
                say();
                // After a second that came late the next one is not a second away.
                if (System.nanoTime() - saidNs > PERIOD_NS / 2) {
                    events.progress(records.getAsLong());
                    saidNs = System.nanoTime();
                }
            }
        } catch (UncheckedIOException coreIsGone) {
            System.err.println("the core no longer reads: " + coreIsGone.getMessage());
        }
    }
}
