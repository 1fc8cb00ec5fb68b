package io.wirelab.kv;

import io.wirelab.sdk.Fields;

/**
 * Multi-gets that a step asks for; the suite's README defines them.
 *
 * @param set number of the set, from 1
 * @param keys keys of a multi-get
 * @param universe keys of a set
 * @param repeated whether all keys of a multi-get are its first one
 */
record Draw(int set, int keys, int universe, boolean repeated) {
    /** Different multi-gets of a step. */
    static final int MULTI_GETS = 64;

    /**
     * Reads what the parameters of a step ask for.
     *
     * @throws RuntimeException if one of them has no sense; the message names it
     */
    static Draw of(Fields parameters) {
        String keysAre = parameters.text("keys_are", "drawn");
        if (!keysAre.equals("drawn") && !keysAre.equals("repeated")) {
            throw new IllegalArgumentException(
                    "keys_are: expected drawn or repeated, found " + keysAre);
        }
        return new Draw(positive(parameters, "set", 1), positive(parameters, "keys", 50),
                positive(parameters, "universe", 10_000), keysAre.equals("repeated"));
    }

    private static int positive(Fields parameters, String name, int otherwise) {
        return parameters.has(name)
                ? parameters.integerWithin(name, 1, Integer.MAX_VALUE) : otherwise;
    }

    /** Number of the multi-get that a lane asks for at a tick. */
    static int multiGetOf(long tick, int lane) {
        return (int) Long.remainderUnsigned(mix(tick << 16 | lane), MULTI_GETS);
    }

    /** The keys of multi-get {@code number}, in order; some of them repeat. */
    String[] keysOf(long seed, int number) {
        long base = mix(mix(seed) ^ ((long) set << 48 | (long) keys << 32 | number));
        String[] drawn = new String[keys];
        for (int i = 0; i < keys; i++) {
            drawn[i] = "k" + Long.remainderUnsigned(mix(base + (repeated ? 0 : i)), universe);
        }
        return drawn;
    }

    /** The finaliser of splitmix64, which everything random follows from. */
    static long mix(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
