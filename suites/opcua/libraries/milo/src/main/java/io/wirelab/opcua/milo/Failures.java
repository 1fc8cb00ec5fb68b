package io.wirelab.opcua.milo;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;

/** Failures that Milo throws, in the contract's words. */
final class Failures {
    private static final Set<Long> TIMEOUT = Set.of(
            StatusCodes.Bad_Timeout, StatusCodes.Bad_RequestTimeout);

    private static final Set<Long> DISCONNECTED = Set.of(
            StatusCodes.Bad_ConnectionClosed, StatusCodes.Bad_SecureChannelClosed,
            StatusCodes.Bad_SecureChannelIdInvalid, StatusCodes.Bad_SessionClosed,
            StatusCodes.Bad_SessionIdInvalid, StatusCodes.Bad_SessionNotActivated,
            StatusCodes.Bad_ServerNotConnected, StatusCodes.Bad_NotConnected,
            StatusCodes.Bad_Disconnect, StatusCodes.Bad_CommunicationError,
            StatusCodes.Bad_NoCommunication, StatusCodes.Bad_Shutdown);

    private Failures() {}

    /** A failed call: the exception's class, the status it carries, its message. */
    static Outcome ofCall(Throwable thrown) {
        StatusCode code = UaException.extractStatusCode(thrown).orElse(null);
        return Outcome.failed(status(code, thrown),
                Fault.ofCall(thrown, code == null ? "" : name(code)));
    }

    /** An item that is not Good; Milo's caller sees a {@link StatusCode} and no exception. */
    static Fault ofItem(StatusCode code, String item) {
        String description = StatusCodes.lookup(code.getValue()).map(texts -> texts[1]).orElse("");
        return new Fault(Fault.Scope.ITEM, StatusCode.class.getSimpleName(), name(code),
                item + ": " + description);
    }

    /** Milo's name of a status, such as {@code Bad_NodeIdUnknown}. */
    static String name(StatusCode code) {
        return StatusCodes.lookup(code.getValue()).map(texts -> texts[0])
                .orElseGet(() -> String.format("0x%08X", code.getValue()));
    }

    private static Status status(StatusCode code, Throwable thrown) {
        if (code != null && TIMEOUT.contains(code.getValue())) {
            return Status.TIMEOUT;
        }
        if (code != null && code.getValue() == StatusCodes.Bad_ConnectionRejected) {
            return Status.REFUSED;
        }
        if (code != null && DISCONNECTED.contains(code.getValue())) {
            return Status.DISCONNECTED;
        }
        // Where the socket fails, Milo passes on what Netty threw, or wraps it without a status.
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return Status.REFUSED;
            }
            if (cause instanceof IOException) {
                return Status.DISCONNECTED;
            }
            if (cause instanceof TimeoutException) {
                return Status.TIMEOUT;
            }
        }
        return Status.ERROR;
    }
}
