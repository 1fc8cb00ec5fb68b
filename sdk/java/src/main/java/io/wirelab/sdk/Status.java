package io.wirelab.sdk;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;

/** End of a timed operation: the status byte of its record, as the contract numbers it. */
public enum Status {
    /** The call succeeded, and so did every item of it. */
    OK,
    /** The call failed in another way than those below. */
    ERROR,
    /** No answer within the request timeout, or within the operation limit. */
    TIMEOUT,
    /** The connection was lost before or during the call. */
    DISCONNECTED,
    /** No connection could be made. */
    REFUSED,
    /** The call succeeded, at least one item did not. */
    ITEM_ERROR,
    /** The worker's own check of the answer failed. */
    WRONG_ANSWER,
    /** This contender cannot do the operation. */
    UNSUPPORTED;

    /**
     * The status that the causes of a failure tell, in classes of Java's own; {@link #ERROR} where
     * they tell none.
     */
    public static Status of(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof SocketTimeoutException || why instanceof TimeoutException) {
                return TIMEOUT;
            }
            if (why instanceof ConnectException) {
                return REFUSED;
            }
            if (why instanceof EOFException || why instanceof SocketException
                    || why instanceof ClosedChannelException) {
                return DISCONNECTED;
            }
        }
        return ERROR;
    }

    /** The byte in the sample file. */
    public int code() {
        return ordinal();
    }
}
