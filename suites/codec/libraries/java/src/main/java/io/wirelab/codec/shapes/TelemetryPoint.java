package io.wirelab.codec.shapes;

/** What a tag of a plant had at a time. */
public final class TelemetryPoint {
    public long time;
    public double value;
    public int quality;
}
