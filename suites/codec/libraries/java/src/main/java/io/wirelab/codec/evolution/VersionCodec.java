package io.wirelab.codec.evolution;

import io.wirelab.codec.NativeCodec;

/** How a library writes and reads objects of one version's class. */
public interface VersionCodec {
    /** Bytes of an object. */
    byte[] encode(Object reading) throws Exception;

    /** The object that the bytes hold. */
    Object decode(byte[] bytes) throws Exception;

    /** Through the codec that a library has for native values. */
    static VersionCodec of(NativeCodec<Object> codec) {
        return new VersionCodec() {
            @Override
            public byte[] encode(Object reading) throws Exception {
                return codec.encode(reading);
            }

            @Override
            public Object decode(byte[] bytes) throws Exception {
                return codec.decode(bytes);
            }
        };
    }
}
