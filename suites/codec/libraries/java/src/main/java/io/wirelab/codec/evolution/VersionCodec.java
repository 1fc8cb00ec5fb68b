package io.wirelab.codec.evolution;

import io.wirelab.codec.Codec;
import java.util.Map;

/** Codec of a library for objects of one version's class. */
public interface VersionCodec {
    /** Bytes of an object. */
    byte[] encode(Object reading) throws Exception;

    /** The object that the bytes hold. */
    Object decode(byte[] bytes) throws Exception;

    /** The fields of what was decoded, as a JSON writer takes them. */
    default Map<String, Object> neutral(Object decoded) throws Exception {
        return Readings.neutral(decoded);
    }

    /** Reads bytes, and writes again what was read. */
    default byte[] again(byte[] bytes) throws Exception {
        return encode(decode(bytes));
    }

    /** Through the codec that a library has for native values. */
    static <B> VersionCodec of(Codec<Object, Object, B> codec) {
        return new VersionCodec() {
            @Override
            public byte[] encode(Object reading) throws Exception {
                return codec.contentOf(codec.encode(reading));
            }

            @Override
            public Object decode(byte[] bytes) throws Exception {
                return codec.decode(codec.bytesOf(bytes));
            }
        };
    }
}
