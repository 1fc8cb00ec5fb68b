package io.wirelab.sdk;

/** The worker cannot play its part; the core is told why, and the worker exits with 1. */
public final class WorkerFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Not serialised: the failure never leaves the process that way. */
    private final transient Fault fault;

    private final String operation;

    /** Gives up because of {@code fault} in {@code operation} (empty: in none). */
    public WorkerFailure(String operation, Fault fault) {
        super(operation + ": " + fault.kind() + " " + fault.status() + " " + fault.message());
        this.operation = operation;
        this.fault = fault.fatal();
    }

    Fault fault() {
        return fault;
    }

    String operation() {
        return operation;
    }
}
