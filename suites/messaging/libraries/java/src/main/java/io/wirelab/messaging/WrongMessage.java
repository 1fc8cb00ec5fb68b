package io.wirelab.messaging;

/** What came back is not what was sent, or cannot have been. */
public final class WrongMessage extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what is wrong with it. */
    public WrongMessage(String what) {
        super(what);
    }
}
