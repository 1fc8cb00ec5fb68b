package io.wirelab.kv.lettuce;

import io.wirelab.kv.Clients;

/** The contender {@code lettuce}. */
public final class Main {
    private Main() {}

    /** Plays the role {@code client}. */
    public static void main(String[] arguments) {
        Clients.main(LettuceStore::new);
    }
}
