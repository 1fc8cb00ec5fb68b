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
 */
public record Step<N>(Shape<N> shape, List<?> neutral, ArrayList<N> pool) {
    /**
     * The pool of {@code shape} in the folder {@code suite}.
     *
     * @throws IOException if it cannot be read
     */
    public static <N> Step<N> load(Path suite, Shape<N> shape) throws IOException {
        Path file = suite.resolve("shapes").resolve(shape.name() + ".json");
        Map<?, ?> content = (Map<?, ?>) JsonReader.read(Files.readAllBytes(file));
        List<?> neutral = (List<?>) content.get("pool");
        ArrayList<N> pool = new ArrayList<>();
        neutral.forEach(one -> pool.add(shape.read(one)));
        return new Step<>(shape, neutral, pool);
    }
}
