package io.wirelab.kv.aerospike;

import io.wirelab.kv.Clients;

/** The contender {@code aerospike-java}. */
public final class Main {
    private Main() {}

    /** Plays the role {@code client}. */
    public static void main(String[] arguments) {
        Clients.main(AerospikeStore::new);
    }
}
