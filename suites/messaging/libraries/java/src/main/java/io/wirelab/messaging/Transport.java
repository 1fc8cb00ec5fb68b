package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.Map;

/** A way of messaging under test, as its clients see it. One for all users of a worker. */
public interface Transport {

    /** Makes the transport of a trial; nobody is connected yet. */
    @FunctionalInterface
    interface Maker {
        /** The transport that {@code spec} asks for; {@code endpoints.server} is where to go. */
        Transport open(Spec spec) throws Exception;
    }

    /** Name and version of the library. */
    Map<String, String> library();

    /**
     * Connects a user. When it has returned, and {@link Link#join} after it, the user can send, and
     * gets every broadcast that is sent.
     *
     * @param user number of the user, from 0; nobody else with it is connected at the same time
     * @param inbox takes what others send; null where nobody sends, or this user gets nothing of it
     * @throws Exception as the library says it
     */
    Link connect(int user, Inbox inbox) throws Exception;

    /** Tells whether the library makes lost connections again by itself, so that links go on. */
    default boolean reconnectsItself() {
        return false;
    }

    /** Status with which a failure that this library threw is recorded. */
    default Status statusOf(Throwable thrown) {
        return Status.of(thrown);
    }

    /** Frees what the users share; their links are closed already. */
    default void close() throws Exception {}
}
