package io.wirelab.codec.shapes;

/** A point on the board. */
public final class Position {
    public int x;
    public int y;
}
