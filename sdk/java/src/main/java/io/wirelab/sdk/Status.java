package io.wirelab.sdk;

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

    /** The byte in the sample file. */
    public int code() {
        return ordinal();
    }
}
