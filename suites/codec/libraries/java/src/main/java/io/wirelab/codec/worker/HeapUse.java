package io.wirelab.codec.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The heap before a call and at its peak, in bytes. Garbage that was not collected yet is in it: pages
 * of a heap stay with the process, so that resident memory would say less.
 */
record HeapUse(long before, long peak) {
    /** Makes the call. */
    static HeapUse of(Callable<?> call) throws Exception {
        System.gc();
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        pools.forEach(MemoryPoolMXBean::resetPeakUsage);
        long before = pools.stream().mapToLong(pool -> pool.getUsage().getUsed()).sum();
        call.call();
        long peak = pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        return new HeapUse(before, peak);
    }
}
