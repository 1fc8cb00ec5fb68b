package io.wirelab.codec.shapes;

/**
 * Knowledge that the suite has of a shape's native value.
 *
 * @param <N> the native value
 */
public interface Shape<N> extends Folding<N> {
    /** The shape of that name. */
    static Shape<?> named(String name) {
        return switch (name) {
            case "T1" -> new T1Shape();
            case "T2" -> new T2Shape();
            case "T3" -> new T3Shape();
            case "T4" -> new T4Shape();
            case "T5" -> new T5Shape();
            case "telemetry" -> new TelemetryShape();
            case "chat" -> new ChatShape();
            default -> throw new IllegalArgumentException("no shape is called " + name);
        };
    }

    /** The name of the shape. */
    String name();

    /** The native value of what a JSON reader made of {@code neutral}. */
    N read(Object neutral);

    /** {@code value} as maps, lists, texts and numbers that a JSON writer takes. */
    Object neutral(N value);
}
