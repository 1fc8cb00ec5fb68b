package io.wirelab.messaging;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Counts of deliveries in one second, as a line of the interval file has them. */
final class Tally {
    private static final long LOWEST_NS = 1_000;
    private static final long HIGHEST_NS = 120_000_000_000L;
    private static final int DIGITS = 3;

    long expected;
    long received;
    long duplicates;
    long redelivered;
    long reordered;
    long held;
    long wrong;
    long bytes;
    private final Histogram service = new Histogram(LOWEST_NS, HIGHEST_NS, DIGITS);
    private final Histogram response;
    private final long[] byUser;

    /**
     * With response times where the loop is {@code open}: a closed one has none.
     *
     * @param competing users of whom one gets a message; 0 where everybody does
     */
    Tally(boolean open, int competing) {
        response = open ? new Histogram(LOWEST_NS, HIGHEST_NS, DIGITS) : null;
        byUser = new long[competing];
    }

    /** Counts it for its user, where users compete. */
    void gotBy(int user) {
        if (byUser.length > 0) {
            byUser[user]++;
        }
    }

    void took(long serviceNs, long responseNs) {
        service.recordValue(within(serviceNs));
        if (response != null) {
            response.recordValue(within(responseNs));
        }
    }

    Map<String, Object> line(long second, String step) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("second", second);
        line.put("operation", "delivery");
        if (response == null) {
            line.put("step", step);
        }
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("expected", expected);
        counts.put("received", received);
        counts.put("duplicates", duplicates);
        counts.put("reordered", reordered);
        counts.put("held", held);
        counts.put("wrong", wrong);
        counts.put("bytes", bytes);
        if (byUser.length > 0) {
            counts.put("redelivered", redelivered);
            for (int user = 0; user < byUser.length; user++) {
                counts.put("user." + user, byUser[user]);
            }
        }
        line.put("counts", counts);
        if (service.getTotalCount() > 0) {
            line.put("service", encoded(service));
        }
        if (response != null && response.getTotalCount() > 0) {
            line.put("response", encoded(response));
        }
        return line;
    }

    private static long within(long ns) {
        return Math.max(0, Math.min(ns, HIGHEST_NS));
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
