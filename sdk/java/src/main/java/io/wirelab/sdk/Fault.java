package io.wirelab.sdk;

/**
 * Something that went wrong, in the words of the library.
 *
 * @param scope what it concerns
 * @param kind the class the caller sees, such as the simple name of an exception
 * @param status the library's own name of the status; empty where it has none
 * @param message the library's message
 */
public record Fault(Scope scope, String kind, String status, String message) {

    /** Scope of a fault. */
    public enum Scope {
        /** A whole call. */
        CALL,
        /** One item of a batch. */
        ITEM,
        /** The worker, which gives up. */
        FATAL
    }

    /** A failed call, as {@code thrown} says it. */
    public static Fault ofCall(Throwable thrown, String status) {
        return new Fault(Scope.CALL, thrown.getClass().getSimpleName(), status,
                String.valueOf(thrown.getMessage()));
    }

    /** The same fault, as the reason why the worker gives up. */
    public Fault fatal() {
        return new Fault(Scope.FATAL, kind, status, message);
    }
}
