package io.wirelab.codec;

import io.wirelab.sdk.Repeated;

/** One step's work: the loops that it has, and its answers. */
public interface Subject extends Repeated {
    /** Instances in its pool. */
    int size();

    /** Tells whether there is anything to answer; a baseline has nothing. */
    default boolean answers() {
        return true;
    }

    /** A copy of the encoding of an instance. */
    default byte[] encode(int instance) throws Exception {
        throw new UnsupportedOperationException("nothing is encoded");
    }

    /** Decodes {@code content} now; what was decoded is read when it is asked for. */
    default Decoded decode(byte[] content) throws Exception {
        throw new UnsupportedOperationException("nothing is decoded");
    }

    /** Tells whether what was decoded lasts only until the next one, or as long as its bytes. */
    default boolean passing() {
        return false;
    }

    /** Something decoded. */
    @FunctionalInterface
    interface Decoded {
        /** All of it, as a JSON writer takes it. */
        Object neutral() throws Exception;
    }
}
