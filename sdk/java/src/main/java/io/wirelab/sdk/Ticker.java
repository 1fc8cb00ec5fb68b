package io.wirelab.sdk;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Absolute ticks on CLOCK_MONOTONIC, which is what {@link System#nanoTime} reads on Linux.
 *
 * <p>Waits in {@link LockSupport#parkNanos}, a futex wait with a timeout in nanoseconds on the
 * same clock: late by the kernel's timer slack (50 us) and the wake-up, as {@code clock_nanosleep}
 * is. {@link Thread#sleep} has a grain of a millisecond before Java 21, and spinning over the last
 * stretch would be counted as CPU of the contender.
 */
public final class Ticker {
    private final long zeroNs;
    private final long periodNs;
    private final BooleanSupplier stopped;

    /**
     * Ticks at {@code zeroNs + tick * periodNs}, until {@code stopped}; whoever stops it must
     * unpark the waiting thread for that to be seen at once.
     */
    public Ticker(long zeroNs, long periodNs, BooleanSupplier stopped) {
        this.zeroNs = zeroNs;
        this.periodNs = periodNs;
        this.stopped = stopped;
    }

    /** Time at which {@code tick} is to happen, in nanoseconds of CLOCK_MONOTONIC. */
    public long intendedNs(long tick) {
        return zeroNs + tick * periodNs;
    }

    /**
     * Waits until {@code tick} is due, not at all when it is late already.
     *
     * @return false when stopped instead
     */
    public boolean await(long tick) {
        return until(intendedNs(tick), stopped);
    }

    /** Waits until {@code atNs} of CLOCK_MONOTONIC; false when stopped instead. */
    public static boolean until(long atNs, BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            long left = atNs - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(left);
        }
        return false;
    }
}
