package io.wirelab.codec.shapes;

import java.util.List;

/** The points of a tag. */
public final class Telemetry {
    public List<TelemetryPoint> points;
}
