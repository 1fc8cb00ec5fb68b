package io.wirelab.messaging.aeron;

import io.aeron.Publication;
import io.wirelab.sdk.Status;
import java.io.IOException;

/** A message that a publication did not take, with Aeron's own word for the reason. */
final class OfferFailed extends IOException {
    private static final long serialVersionUID = 1;

    private final long code;

    OfferFailed(long code) {
        super(Publication.errorString(code));
        this.code = code;
    }

    /** Nobody is at the other end any more, or it would have been taken later. */
    Status status() {
        if (code == Publication.NOT_CONNECTED || code == Publication.CLOSED) {
            return Status.DISCONNECTED;
        }
        return isPassing(code) ? Status.TIMEOUT : Status.ERROR;
    }

    /** Tells whether the same message would be taken later. */
    static boolean isPassing(long code) {
        return code == Publication.BACK_PRESSURED || code == Publication.ADMIN_ACTION;
    }
}
