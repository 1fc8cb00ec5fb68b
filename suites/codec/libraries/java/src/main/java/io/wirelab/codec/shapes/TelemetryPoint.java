package io.wirelab.codec.shapes;

/** Value of a tag of a plant at a time. */
public final class TelemetryPoint {
    public long time;
    public double value;
    public int quality;
}
