package io.wirelab.sdk;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * One timed call: from just before it is sent to when its outcome is in the caller's hands.
 * Settled once, by the library's answer or by giving up; what comes later is ignored.
 */
final class Call {
    /** Hears how a call ended, on the thread that ended it. */
    @FunctionalInterface
    interface Listener {
        void settled(Call call);
    }

    private final Spec.Timed operation;
    private final Client client;
    private final Listener listener;
    private final Thread waiting = Thread.currentThread();
    private final AtomicBoolean decided = new AtomicBoolean();
    private final long intendedNs;
    private long startNs;
    private long endNs;
    private Outcome outcome;
    private volatile boolean settled;

    Call(Spec.Timed operation, Client client, long intendedNs, Listener listener) {
        this.operation = operation;
        this.client = client;
        this.intendedNs = intendedNs;
        this.listener = listener;
    }

    /** Sends {@code request}. */
    void begin(Client.Request request) {
        startNs = System.nanoTime();
        try {
            request.send().whenComplete(this::complete);
        } catch (Exception notSent) {
            complete(null, notSent);
        }
    }

    /** Waits until settled, or gives up as timed out at {@code deadlineNs} or soon after a stop. */
    void await(long deadlineNs, long graceNs, Commands commands) {
        long until = deadlineNs;
        boolean stopping = false;
        while (!settled) {
            if (commands.stopped() && !stopping) {
                stopping = true;
                until = Math.min(until, System.nanoTime() + graceNs);
            }
            long left = until - System.nanoTime();
            if (left <= 0) {
                giveUp(stopping);
                // Where the library was first, its thread is just writing the outcome down.
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    Spec.Timed operation() {
        return operation;
    }

    long intendedNs() {
        return intendedNs;
    }

    long startNs() {
        return startNs;
    }

    long endNs() {
        return endNs;
    }

    Outcome outcome() {
        return outcome;
    }

    private void complete(Outcome answered, Throwable thrown) {
        long now = System.nanoTime();
        if (decided.compareAndSet(false, true)) {
            settle(now, outcomeOf(answered, thrown));
        }
    }

    /** Never throws: an exception here would vanish in the future, and nobody would be told. */
    private Outcome outcomeOf(Outcome answered, Throwable thrown) {
        try {
            return thrown == null ? Objects.requireNonNull(
                            answered, "the client gave neither an outcome nor an error")
                    : client.failed(cause(thrown));
        } catch (RuntimeException wrong) {
            return Outcome.failed(Status.ERROR, Fault.ofCall(wrong, ""));
        }
    }

    private void giveUp(boolean stopping) {
        long now = System.nanoTime();
        if (decided.compareAndSet(false, true)) {
            String why = stopping ? "given up because the worker is to stop"
                    : "given up at the operation limit";
            settle(now, Outcome.failed(Status.TIMEOUT,
                    new Fault(Fault.Scope.CALL, "OperationLimit", "", why)));
        }
    }

    private void settle(long now, Outcome how) {
        endNs = now;
        outcome = how;
        listener.settled(this);
        settled = true;
        LockSupport.unpark(waiting);
    }

    /** Futures wrap what was thrown; the wrapping says nothing about the library. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null
                && (cause instanceof CompletionException || cause instanceof ExecutionException)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
