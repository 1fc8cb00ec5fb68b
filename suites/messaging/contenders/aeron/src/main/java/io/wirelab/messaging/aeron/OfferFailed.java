package io.wirelab.messaging.aeron;

import io.aeron.Publication;
import java.io.IOException;

/** A message that a publication did not take, with Aeron's own word for the reason. */
final class OfferFailed extends IOException {
    private static final long serialVersionUID = 1;

    private final long code;

    OfferFailed(long code) {
        super(Publication.errorString(code));
        this.code = code;
    }

    /** Tells whether nobody is at the other end any more. */
    boolean isLost() {
        return code == Publication.NOT_CONNECTED || code == Publication.CLOSED;
    }

    /** Tells whether it would have been taken later. */
    boolean isLate() {
        return code == Publication.BACK_PRESSURED || code == Publication.ADMIN_ACTION;
    }
}
