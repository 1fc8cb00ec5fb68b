package io.wirelab.kv;

import io.wirelab.sdk.Status;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A store without a database, for the tests: it computes the records that the suite's README
 * defines, which depend on no secret here, and passes them on packed, as Redis would.
 */
final class Memory implements Store<byte[][]> {
    private static final int[] FOUND = {0, 840, 895, 645, 575, 980, 760, 910, 0, 690};
    private static final long[] CARDINALITY = {100_000, 50_000, 20_000, 10_000, 3};

    public static void main(String[] arguments) {
        Clients.main(spec -> new Memory());
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "memory", "version", "1");
    }

    @Override
    public void connect() {}

    @Override
    public byte[][] prepare(int set, String[] keys) {
        return Arrays.stream(keys).map(key -> packed(set, Long.parseLong(key.substring(1))))
                .toArray(byte[][]::new);
    }

    private static byte[] packed(int set, long key) {
        if (Long.remainderUnsigned(Draw.mix((long) set << 32 | key), 1000) >= FOUND[set]) {
            return null;
        }
        ByteBuffer drawn = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN)
                .put(digest(set, key, 0)).put(digest(set, key, 1));
        ByteBuffer bytes = ByteBuffer.allocate(104).order(ByteOrder.LITTLE_ENDIAN);
        IntStream.range(0, 5).forEach(j -> bytes.putLong(
                Long.remainderUnsigned(drawn.getLong(8 * j), CARDINALITY[j])));
        IntStream.range(5, 13).forEach(j -> bytes.putDouble(
                (drawn.getLong(8 * j) >>> 11) * 0x1p-53));
        return bytes.array();
    }

    private static byte[] digest(int set, long key, int number) {
        byte[] message = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(set).putLong(key).putInt(number).array();
        try {
            return MessageDigest.getInstance("SHA-512").digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Row[] read(byte[][] batch) {
        return Arrays.stream(batch).map(packed -> packed == null ? null : Row.unpack(packed))
                .toArray(Row[]::new);
    }

    @Override
    public Status statusOf(Throwable thrown) {
        return Status.ERROR;
    }

    @Override
    public void close() {}
}
