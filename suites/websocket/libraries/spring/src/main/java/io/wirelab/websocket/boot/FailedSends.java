package io.wirelab.websocket.boot;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs sends that failed, at most once a second and with how many there were: a line for each
 * would measure the log.
 */
public final class FailedSends {
    private static final Logger LOG = LoggerFactory.getLogger(FailedSends.class);
    private static final long PERIOD_NS = 1_000_000_000;

    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong nextNs = new AtomicLong(System.nanoTime());

    /** Counts one more; {@code last} is what it failed with. */
    public void log(Exception last) {
        long count = failed.incrementAndGet();
        long now = System.nanoTime();
        long due = nextNs.get();
        if (now - due >= 0 && nextNs.compareAndSet(due, now + PERIOD_NS)) {
            LOG.warn("{} sends failed so far, the last with {}", count, last.toString());
        }
    }
}
