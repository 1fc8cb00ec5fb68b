package io.wirelab.sdk;

import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Figures that only the JVM itself can tell, once a second from a daemon thread: the heap in use,
 * what the collector cost, and when it and the compilers were at work. CPU and memory of the process
 * are the core's to measure.
 */
final class RuntimeProbe {
    private static final long PERIOD_NS = 1_000_000_000;

    /**
     * Time between two looks at the counters, by which collections and compilations are placed: each
     * look takes some microseconds of a thread that sleeps otherwise.
     */
    private static final long LOOK_NS = 20_000_000;

    private static final long LOOKS = PERIOD_NS / LOOK_NS;

    /** Kind of {@code heap_bytes}, so that nobody compares it with another runtime's figure. */
    static final String HEAP_KIND = "used heap (MemoryMXBean), garbage not yet collected included";

    private final Events events;
    private final LongSupplier records;
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private RuntimeSpans collections;
    private RuntimeSpans compilations;

    /** Tells {@code events}, together with how many {@code records} there are. */
    RuntimeProbe(Events events, LongSupplier records) {
        this.events = events;
        this.records = records;
    }

    /** Reports once a second from {@code firstNs} on. */
    void start(long firstNs) {
        Thread thread = new Thread(() -> report(firstNs), "wirelab-runtime");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reports now. */
    void say() {
        look();
        Map<String, Object> told = new HashMap<>(figures());
        told.putAll(spans());
        events.runtime(told);
    }

    /** Collections and compilations since the last report; none before the reports have begun. */
    private synchronized Map<String, Object> spans() {
        if (collections == null) {
            return Map.of();
        }
        return Map.of(
                "collections", collections.taken(),
                "compilations", compilations.taken(),
                "untold", collections.untold() + compilations.untold());
    }

    private synchronized void look() {
        if (collections != null) {
            long beforeNs = System.nanoTime();
            JvmFigures now = JvmFigures.now();
            long afterNs = System.nanoTime();
            collections.look(now.gcPauseMs(), beforeNs, afterNs);
            compilations.look(now.compiledMs(), beforeNs, afterNs);
        }
    }

    private synchronized void lookFromNowOn() {
        long beforeNs = System.nanoTime();
        JvmFigures now = JvmFigures.now();
        collections = new RuntimeSpans(true, now.gcPauseMs(), beforeNs);
        compilations = new RuntimeSpans(false, now.compiledMs(), beforeNs);
    }

    /**
     * The figures: heap in bytes, collections and their pauses in nanoseconds since the start.
     * The JVM adds pauses up exactly and tells the sum in whole milliseconds.
     */
    Map<String, Object> figures() {
        Map<String, Object> told = new HashMap<>(JvmFigures.now().collections());
        told.put("heap_bytes", memory.getHeapMemoryUsage().getUsed());
        told.put("heap_kind", HEAP_KIND);
        return told;
    }

    private void report(long firstNs) {
        Ticker ticker = new Ticker(firstNs, LOOK_NS, () -> false);
        try {
            long saidNs = firstNs - PERIOD_NS;
            lookFromNowOn();
            for (long tick = 0; ticker.await(tick); tick++) {
                if (tick % LOOKS != 0) {
                    look();
                    continue;
                }
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
