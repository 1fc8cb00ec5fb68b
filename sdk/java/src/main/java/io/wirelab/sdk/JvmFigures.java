package io.wirelab.sdk;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Figures of the JVM at a moment, cumulative since its start.
 *
 * @param gcCount collections
 * @param gcPauseMs their pauses; the JVM tells them in whole milliseconds
 * @param compiledMs how long the compilations took that have ended
 */
public record JvmFigures(long gcCount, long gcPauseMs, long compiledMs) {
    private static final ThreadMXBean THREADS =
            (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    // ZGC and Shenandoah have a second bean for their concurrent cycles, which stop nobody.
                    .filter(bean -> !bean.getName().endsWith(" Cycles")).toList();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    static JvmFigures now() {
        long count = 0;
        long pauseMs = 0;
        for (int i = 0; i < COLLECTORS.size(); i++) {
            // -1 of a collector that does not tell.
            count += Math.max(0, COLLECTORS.get(i).getCollectionCount());
            pauseMs += Math.max(0, COLLECTORS.get(i).getCollectionTime());
        }
        return new JvmFigures(count, pauseMs, compilationMs());
    }

    JvmFigures since(JvmFigures before) {
        return new JvmFigures(gcCount - before.gcCount, gcPauseMs - before.gcPauseMs,
                compiledMs - before.compiledMs);
    }

    Map<String, Long> collections() {
        return Map.of("gc_count", gcCount, "gc_pause_ns", TimeUnit.MILLISECONDS.toNanos(gcPauseMs));
    }

    /** Bytes that the calling thread has allocated, exactly. */
    public static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Time that compilations took that have ended, of all threads. */
    static long compilationMs() {
        // A JVM that only interprets has no compilers.
        return COMPILERS == null ? 0 : COMPILERS.getTotalCompilationTime();
    }

    /** Processor time of all threads of this process. */
    static long processorNs() {
        return PROCESS.getProcessCpuTime();
    }
}
