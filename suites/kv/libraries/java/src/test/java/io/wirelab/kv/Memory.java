package io.wirelab.kv;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A store without a database, for the tests: it computes the records that the suite's README
 * defines, which depend on no secret here, and passes them on packed, as Redis would. Its user table
 * is the file that the parameter {@code table} names, a key and its fields a line; {@code fault} says
 * what is wrong with it: writes are {@code dropped}, or changes are a {@code lost-update}. Where
 * {@code whole} is set, it knows no fields.
 */
final class Memory implements RecordStore<byte[][]> {
    private static final int[] FOUND = {0, 840, 895, 645, 575, 980, 760, 910, 0, 690};
    private static final long[] CARDINALITY = {100_000, 50_000, 20_000, 10_000, 3};

    private final Map<String, List<byte[]>> users = new ConcurrentHashMap<>();
    private final Fields parameters;

    public static void main(String[] arguments) {
        Clients.main(spec -> new Memory(spec.parameters()));
    }

    private Memory(Fields parameters) {
        this.parameters = parameters;
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "memory", "version", "1");
    }

    @Override
    public void connect() throws IOException {
        if (!parameters.has("table")) {
            return;
        }
        for (String line : Files.readAllLines(Path.of(parameters.text("table")))) {
            List<String> parts = List.of(line.split(" "));
            users.put(parts.get(0), parts.stream().skip(1)
                    .map(field -> field.getBytes(StandardCharsets.US_ASCII)).toList());
        }
    }

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
    public Row[] read(byte[][] multiGet) {
        return Arrays.stream(multiGet).map(packed -> packed == null ? null : Row.unpack(packed))
                .toArray(Row[]::new);
    }

    @Override
    public List<byte[]> readRecord(String key) {
        return users.get(key);
    }

    @Override
    public boolean hasWholeRecords() {
        return parameters.has("whole") && parameters.flag("whole");
    }

    @Override
    public void writeRecord(String key, int from, List<byte[]> values) {
        if (!has("dropped")) {
            users.computeIfPresent(key, (name, fields) -> with(fields, from, values));
        }
    }

    @Override
    public void insertRecord(String key, List<byte[]> values) {
        if (users.putIfAbsent(key, values) != null) {
            throw new IllegalStateException(key + " is there already");
        }
    }

    @Override
    public List<byte[]> modifyRecord(String key, int from, List<byte[]> values)
            throws InterruptedException {
        while (true) {
            List<byte[]> found = users.get(key);
            Thread.sleep(1);
            if (has("lost-update")) {
                users.computeIfPresent(key, (name, fields) -> with(fields, from, values));
                return found;
            }
            // Lists are equal by their arrays, which nobody changes.
            if (users.replace(key, found, with(found, from, values))) {
                return found;
            }
        }
    }

    private boolean has(String fault) {
        return parameters.text("fault", "").equals(fault);
    }

    private List<byte[]> with(List<byte[]> fields, int from, List<byte[]> values) {
        if (hasWholeRecords() && values.size() < fields.size()) {
            throw new IllegalArgumentException("a write of a part of a record");
        }
        List<byte[]> changed = new ArrayList<>(fields);
        for (int number = 0; number < values.size(); number++) {
            changed.set(from + number, values.get(number));
        }
        return changed;
    }

    @Override
    public Status statusOf(Throwable thrown) {
        return Status.ERROR;
    }

    @Override
    public void close() {}
}
