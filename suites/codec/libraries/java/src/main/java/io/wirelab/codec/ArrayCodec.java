package io.wirelab.codec;

import io.wirelab.codec.shapes.Fold;

/** A codec that makes a new array of bytes in every iteration. */
interface ArrayCodec<E, D> extends Codec<E, D, byte[]> {
    @Override
    default int foldBytes(byte[] bytes) {
        return Fold.bytes(bytes, bytes.length);
    }

    @Override
    default byte[] bytesOf(byte[] content) {
        return content;
    }

    @Override
    default byte[] contentOf(byte[] bytes) {
        return bytes.clone();
    }
}
