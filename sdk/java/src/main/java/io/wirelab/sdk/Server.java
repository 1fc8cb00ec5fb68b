package io.wirelab.sdk;

import java.util.Map;

/** A server library under test, as {@link ServingPart} runs it. */
public interface Server {

    /** Starts the server of a trial. */
    @FunctionalInterface
    interface Maker {
        /** The server that {@code spec} asks for; it accepts connections when this returns. */
        Server start(Spec spec) throws Exception;
    }

    /** Name and version of the library. */
    Map<String, String> library();

    /** The address it really got, in the form that its clients connect to. */
    String endpoint();

    /** Facts that later roles and the verifier should know of it. */
    Map<String, ?> facts();

    /** Ends every connection and frees the port; given up when it takes too long. */
    void close() throws Exception;
}
