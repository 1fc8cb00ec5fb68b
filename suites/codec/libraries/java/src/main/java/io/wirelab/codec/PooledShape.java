package io.wirelab.codec;

import io.wirelab.codec.shapes.Shape;
import io.wirelab.sdk.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A shape and the pool of its instances.
 *
 * @param neutral the pool as its file has it
 * @param pool the pool as native values
 * @param twins the same values but for one field each
 * @param wanted the pool once more, which nobody changes
 * @param wantedTwins the twins once more, which nobody changes
 */
public record PooledShape<N>(Shape<N> shape, List<?> neutral, ArrayList<N> pool, ArrayList<N> twins,
        ArrayList<N> wanted, ArrayList<N> wantedTwins) {
    /**
     * The pool of {@code shape} in the folder {@code suite}.
     *
     * @throws IOException if it cannot be read
     */
    public static <N> PooledShape<N> load(Path suite, Shape<N> shape) throws IOException {
        Path shapes = suite.resolve("shapes");
        List<?> neutral = instances(shapes, shape);
        List<?> twins = instances(shapes.resolve("twins"), shape);
        return new PooledShape<>(shape, neutral, natives(shape, neutral), natives(shape, twins),
                natives(shape, neutral), natives(shape, twins));
    }

    private static List<?> instances(Path folder, Shape<?> shape) throws IOException {
        Path file = folder.resolve(shape.name() + ".json");
        Map<?, ?> content = (Map<?, ?>) JsonReader.read(Files.readAllBytes(file));
        return (List<?>) content.get("pool");
    }

    private static <N> ArrayList<N> natives(Shape<N> shape, List<?> neutral) {
        ArrayList<N> natives = new ArrayList<>();
        neutral.forEach(one -> natives.add(shape.read(one)));
        return natives;
    }
}
