package io.wirelab.messaging;

import io.wirelab.sdk.Durations;
import io.wirelab.sdk.Interval;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts of deliveries in one second, as a line of the interval file has them. */
final class Tally {
    long expected;
    long received;
    long duplicates;
    long redelivered;
    long reordered;
    long held;
    long wrong;
    long bytes;
    private final Durations service = new Durations();
    private final Durations response = new Durations();
    private final boolean open;
    private final long[] byUser;

    /**
     * With response times where the loop is {@code open}: a closed one has none.
     *
     * @param competing users of whom one gets a message; 0 where everybody does
     */
    Tally(boolean open, int competing) {
        this.open = open;
        byUser = new long[competing];
    }

    /** Counts it for its user, where users compete. */
    void gotBy(int user) {
        if (byUser.length > 0) {
            byUser[user]++;
        }
    }

    void took(long serviceNs, long responseNs) {
        service.add(serviceNs);
        if (open) {
            response.add(responseNs);
        }
    }

    /** The line of a second; the step is that of a closed loop. */
    Interval interval(long second, String step) {
        Map<String, Long> counts = new LinkedHashMap<>();
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
        return new Interval(second, "delivery", open ? "" : step, counts, service, response);
    }
}
