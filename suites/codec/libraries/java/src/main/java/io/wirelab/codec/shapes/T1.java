package io.wirelab.codec.shapes;

/** Ten primitives; an unsigned type is the narrowest of Java's that holds it, u64 its 64 bits. */
public final class T1 {
    public byte c;
    public short uc;
    public short i16;
    public int u16;
    public int i32;
    public long u32;
    public long i64;
    public long u64;
    public float f;
    public double d;
}
