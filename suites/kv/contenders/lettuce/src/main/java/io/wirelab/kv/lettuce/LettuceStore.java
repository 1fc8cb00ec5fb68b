package io.wirelab.kv.lettuce;

import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.wirelab.kv.Clients;
import io.wirelab.kv.RecordStore;
import io.wirelab.kv.Row;
import io.wirelab.kv.UserTable;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * MGET of packed records, and hashes of single ones, on the one connection that the library means for
 * all threads; a transaction has one for itself.
 */
final class LettuceStore implements RecordStore<byte[][]> {
    private static final byte[][] FIELDS =
            UserTable.NAMES.stream().map(LettuceStore::bytesOf).toArray(byte[][]::new);

    /** Connections of transactions that have ended. */
    private final Queue<StatefulRedisConnection<byte[], byte[]>> idle = new ConcurrentLinkedQueue<>();
    private final ClientResources resources;
    private final RedisClient client;
    private volatile StatefulRedisConnection<byte[], byte[]> connection;

    public static void main(String[] arguments) {
        Clients.main(LettuceStore::new);
    }

    LettuceStore(Spec spec) {
        resources = ClientResources.builder()
                .ioThreadPoolSize(spec.parameters().integerWithin("io_threads", 1, 64))
                .build();
        RedisURI server = RedisURI.create(spec.endpoints().text("server"));
        server.setTimeout(Duration.ofNanos(spec.limits().operationNs()));
        client = RedisClient.create(resources, server);
    }

    @Override
    public Map<String, String> library() {
        // What follows the slash is a commit.
        return Map.of("name", "lettuce-core", "version",
                LettuceVersion.getVersion().split("/")[0]);
    }

    @Override
    public void connect() {
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @Override
    public byte[][] prepare(int set, String[] keys) {
        byte[][] prepared = new byte[keys.length][];
        for (int i = 0; i < keys.length; i++) {
            prepared[i] = bytesOf("wirelab:set_" + set + ":" + keys[i]);
        }
        return prepared;
    }

    @Override
    public Row[] read(byte[][] keys) {
        List<KeyValue<byte[], byte[]>> values = connection.sync().mget(keys);
        Row[] rows = new Row[values.size()];
        for (int i = 0; i < rows.length; i++) {
            KeyValue<byte[], byte[]> value = values.get(i);
            if (value.hasValue()) {
                rows[i] = Row.unpack(value.getValue());
            }
        }
        return rows;
    }

    @Override
    public List<byte[]> readRecord(String key) {
        return valuesOf(connection.sync().hmget(bytesOf(key), FIELDS));
    }

    @Override
    public void writeRecord(String key, int from, List<byte[]> values) {
        connection.sync().hset(bytesOf(key), named(from, values));
    }

    @Override
    public void insertRecord(String key, List<byte[]> values) {
        connection.sync().hset(bytesOf(key), named(0, values));
    }

    private static Map<byte[], byte[]> named(int from, List<byte[]> values) {
        Map<byte[], byte[]> fields = new LinkedHashMap<>();
        for (int number = 0; number < values.size(); number++) {
            fields.put(FIELDS[from + number], values.get(number));
        }
        return fields;
    }

    /** WATCH is of a connection, and makes EXEC fail where another one has written since. */
    @Override
    public List<byte[]> modifyRecord(String key, int from, List<byte[]> values) {
        StatefulRedisConnection<byte[], byte[]> lent = idle.poll();
        StatefulRedisConnection<byte[], byte[]> own =
                lent == null ? client.connect(ByteArrayCodec.INSTANCE) : lent;
        try {
            List<byte[]> found = modified(own.sync(), bytesOf(key), named(from, values));
            idle.add(own);
            return found;
        } catch (RuntimeException failed) {
            // In the middle of a transaction it is of no use to the next one.
            own.closeAsync();
            throw failed;
        }
    }

    private static List<byte[]> modified(RedisCommands<byte[], byte[]> commands, byte[] key,
            Map<byte[], byte[]> values) {
        while (true) {
            commands.watch(key);
            List<byte[]> found = valuesOf(commands.hmget(key, FIELDS));
            commands.multi();
            commands.hset(key, values);
            if (!commands.exec().wasDiscarded()) {
                return found;
            }
        }
    }

    /** The fields of a hash; null where one of them is not there. */
    private static List<byte[]> valuesOf(List<KeyValue<byte[], byte[]>> found) {
        List<byte[]> values = new ArrayList<>(found.size());
        for (KeyValue<byte[], byte[]> field : found) {
            if (!field.hasValue()) {
                return null;
            }
            values.add(field.getValue());
        }
        return values;
    }

    private static byte[] bytesOf(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof RedisCommandTimeoutException) {
            return Status.TIMEOUT;
        }
        Status told = Status.of(thrown);
        if (told == Status.ERROR && thrown instanceof RedisConnectionException) {
            return Status.REFUSED;
        }
        // The library has no class of its own for it.
        boolean lost = thrown.getClass() == RedisException.class
                && "Connection closed".equals(thrown.getMessage());
        return lost ? Status.DISCONNECTED : told;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
