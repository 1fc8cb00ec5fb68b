package io.wirelab.codec.evolution;

/** How a library writes and reads objects of one version's class. */
public interface VersionCodec {
    /** Bytes of an object. */
    byte[] encode(Object reading) throws Exception;

    /** The object that the bytes hold. */
    Object decode(byte[] bytes) throws Exception;
}
