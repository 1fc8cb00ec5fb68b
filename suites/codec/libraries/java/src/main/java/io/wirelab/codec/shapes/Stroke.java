package io.wirelab.codec.shapes;

import java.util.List;

/** A line drawn on the board. */
public final class Stroke {
    public String color;
    public double width;
    public List<Position> points;
}
