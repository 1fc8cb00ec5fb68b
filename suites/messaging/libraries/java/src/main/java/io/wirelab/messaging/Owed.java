package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.util.List;

/**
 * Users to whom the messages of a phase are owed, by the number of a message. In an open loop users
 * join while others send: what is sent while a step settles is owed to those of the step before it.
 */
final class Owed {
    private final long[] from;
    private final int[] users;

    private Owed(int bounds) {
        from = new long[bounds];
        users = new int[bounds];
    }

    /** To so many users, whichever message it is: who joins does so before any is sent. */
    static Owed everything(int users) {
        Owed owed = new Owed(1);
        owed.users[0] = users;
        return owed;
    }

    /** To users of {@code steps}, at each of whose ticks a sender has {@code perTick} messages. */
    static Owed within(List<Spec.Step> steps, int perTick) {
        Owed owed = new Owed(2 * steps.size());
        int before = 0;
        for (int number = 0; number < steps.size(); number++) {
            Spec.Step step = steps.get(number);
            owed.from[2 * number] = step.first() * perTick;
            owed.users[2 * number] = Math.min(before, step.users());
            owed.from[2 * number + 1] = (step.first() + step.settle()) * perTick;
            owed.users[2 * number + 1] = step.users();
            before = step.users();
        }
        return owed;
    }

    /** Number of users, the first ones, to whom this message of a sender is owed. */
    int to(long number) {
        int at = from.length - 1;
        while (at > 0 && number < from[at]) {
            at--;
        }
        return users[at];
    }
}
