package io.wirelab.codec;

import io.wirelab.codec.shapes.Fold;
import java.util.Arrays;

/**
 * A library that writes native values into a buffer that is kept, and reads them from there.
 *
 * @param <N> the shape's native value
 */
public interface BufferCodec<N> extends ValueCodec<N, Slice> {
    @Override
    default int foldBytes(Slice bytes) {
        return Fold.bytes(bytes.array, bytes.length);
    }

    @Override
    default Slice bytesOf(byte[] content) {
        return new Slice().set(content, content.length);
    }

    @Override
    default byte[] contentOf(Slice bytes) {
        return Arrays.copyOf(bytes.array, bytes.length);
    }

    @Override
    default Subject subject(PooledShape<N> pooled) {
        return new NativeSubject<>(pooled, this, true);
    }
}
