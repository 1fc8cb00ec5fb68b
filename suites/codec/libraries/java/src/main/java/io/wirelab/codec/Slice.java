package io.wirelab.codec;

/** The first bytes of an array that is kept and filled again. */
public final class Slice {
    /** The array. */
    public byte[] array;

    /** Number of its bytes that count. */
    public int length;

    /** Sees the first {@code length} bytes of {@code array}. */
    public Slice set(byte[] array, int length) {
        this.array = array;
        this.length = length;
        return this;
    }
}
