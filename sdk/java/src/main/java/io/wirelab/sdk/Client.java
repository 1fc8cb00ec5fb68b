package io.wirelab.sdk;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** A client library under test, as {@link PacedClient} drives it. */
public interface Client {

    /** Makes the client of a trial; nothing is connected yet. */
    @FunctionalInterface
    interface Maker {
        /** The client that {@code spec} asks for. */
        Client make(Spec spec) throws Exception;
    }

    /** An operation of a phase. */
    record Turn(Phase phase, long index) {}

    /** The parts of a trial in which operations are performed. */
    enum Phase {
        /** Before {@code ready}: answers are verified, nothing is timed. */
        PREFLIGHT,
        /** The ticks. */
        MEASURE;

        String written() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A call that only has to be sent: what needs preparing was prepared. */
    @FunctionalInterface
    interface Request {
        /**
         * Sends it, without waiting. The stage completes as soon as the caller has the decoded
         * answer and has looked at the status of every item, on whatever thread that is.
         */
        CompletionStage<Outcome> send() throws Exception;
    }

    /** The operations of the scenario that this client can do, without {@code connect}. */
    List<String> operations();

    /** Prepares a call of {@code operation}, outside the timed part. */
    Request prepare(String operation, Turn turn);

    /** Prepares the call that connects. */
    Request prepareConnect();

    /** Tells whether a connection was made; the library keeps it up from there on, where it can. */
    boolean connected();

    /**
     * Outcome of a failed call, as it is recorded and said; {@code thrown} is what the library
     * threw.
     */
    Outcome failed(Throwable thrown);

    /** Name and version of the library. */
    Map<String, String> library();

    /** Abilities of this client, in the contract's words. */
    List<String> capabilities();

    /** Begins to disconnect, without waiting. */
    CompletionStage<?> disconnect();
}
