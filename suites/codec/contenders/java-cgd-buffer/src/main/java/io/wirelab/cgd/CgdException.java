package io.wirelab.cgd;

/** Bytes that are not what was to be extracted from them. */
public final class CgdException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CgdException(String message) {
        super(message);
    }
}
