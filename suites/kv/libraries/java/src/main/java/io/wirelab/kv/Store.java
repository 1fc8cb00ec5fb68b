package io.wirelab.kv;

import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.Map;

/**
 * A client of one database, which all lanes of a trial share.
 *
 * @param <B> a multi-get in the library's own form
 */
public interface Store<B> {

    /** Makes the store of a trial; it is not connected yet. */
    @FunctionalInterface
    interface Maker<B> {
        /** The store that {@code spec} asks for; {@code endpoints.server} is where to go. */
        Store<B> make(Spec spec) throws Exception;
    }

    /** Name and version of the library. */
    Map<String, String> library();

    /**
     * Connects; called again only where it has failed.
     *
     * @throws Exception as the library says it
     */
    void connect() throws Exception;

    /** Puts a multi-get into the library's form, before anything is timed. */
    B prepare(int set, String[] keys);

    /**
     * Asks for a multi-get, and returns when it is decoded: a row a key in the order asked, null where
     * there is no record. By several threads at a time. The library must end the call itself, after
     * the limit of an operation at the latest.
     *
     * @throws Exception as the library says it
     */
    Row[] read(B multiGet) throws Exception;

    /** Status with which a failure that this library threw is recorded. */
    Status statusOf(Throwable thrown);

    /** The library's own name for the status of a failure; empty where it has none. */
    default String nameOf(Throwable thrown) {
        return "";
    }

    /** Gives the connections back; a store that never connected has nothing to close. */
    void close();
}
