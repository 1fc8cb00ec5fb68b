package io.wirelab.codec.shapes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code telemetry}: 1,000 points. */
public final class TelemetryShape implements Shape<Telemetry> {
    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public Telemetry read(Object neutral) {
        Telemetry value = new Telemetry();
        value.points = Neutral.list(Neutral.members(neutral).get("points"), one -> {
            Map<?, ?> members = Neutral.members(one);
            TelemetryPoint point = new TelemetryPoint();
            point.time = Neutral.integer(members.get("time"));
            point.value = Neutral.number(members.get("value"));
            point.quality = (int) Neutral.integer(members.get("quality"));
            return point;
        });
        return value;
    }

    @Override
    public Object neutral(Telemetry value) {
        return Map.of("points", Neutral.written(value.points, point -> {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("time", point.time);
            members.put("value", Neutral.floating(point.value));
            members.put("quality", point.quality);
            return members;
        }));
    }

    @Override
    public int fold(Telemetry value) {
        List<TelemetryPoint> points = value.points;
        int sum = Fold.LENGTH * points.size();
        for (int i = 0; i < points.size(); i++) {
            TelemetryPoint point = points.get(i);
            sum += 3 * (int) point.time + 5 * Fold.floating(point.value) + 7 * point.quality;
        }
        return sum;
    }
}
