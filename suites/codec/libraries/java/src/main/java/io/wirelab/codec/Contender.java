package io.wirelab.codec;

import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.large.LargeCodec;
import java.nio.file.Path;

/** Subject of a measurement. A library's contender is a {@link LibraryContender}. */
public interface Contender {
    /** The library. */
    Library library();

    /** The format that it writes, in the words of the suite. */
    String format();

    /**
     * Subject that it has for the shape called {@code name}, whose pool is in the folder {@code
     * suite}.
     */
    Subject subject(Path suite, String name) throws Exception;

    /** Codec for a class of {@link io.wirelab.codec.evolution.Readings}, if it has one. */
    default VersionCodec version(Class<?> type) throws Exception {
        throw new UnsupportedOperationException("it has no versions of the record");
    }

    /** Codec for large messages, if it has one. */
    default LargeCodec large() throws Exception {
        throw new UnsupportedOperationException("it has nothing for large messages");
    }
}
