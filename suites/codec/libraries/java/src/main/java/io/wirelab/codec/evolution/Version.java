package io.wirelab.codec.evolution;

import io.wirelab.codec.Contender;
import java.util.Map;

/** A program of one version: its class of the record, and its codec. */
public final class Version {
    private final Class<?> type;
    private final VersionCodec codec;

    /** The version called {@code name}, as {@code contender} has it. */
    public Version(String name, Contender contender) throws Exception {
        this.type = Readings.version(name);
        this.codec = contender.version(type);
    }

    /** Bytes of a value. */
    public byte[] write(Map<?, ?> value) throws Exception {
        return codec.encode(Readings.of(type, value));
    }

    /** The value that the bytes hold. */
    public Map<String, Object> read(byte[] bytes) throws Exception {
        return codec.neutral(codec.decode(bytes));
    }

    /** Reads bytes, and writes again what was read. */
    public byte[] again(byte[] bytes) throws Exception {
        return codec.again(bytes);
    }
}
