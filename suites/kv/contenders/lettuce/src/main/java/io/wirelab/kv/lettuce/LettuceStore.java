package io.wirelab.kv.lettuce;

import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.wirelab.kv.Clients;
import io.wirelab.kv.Network;
import io.wirelab.kv.Row;
import io.wirelab.kv.Store;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** MGET of packed records, on the one connection that the library means for all threads. */
final class LettuceStore implements Store<byte[][]> {
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
            prepared[i] = ("wirelab:set_" + set + ":" + keys[i]).getBytes(StandardCharsets.US_ASCII);
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
    public Status statusOf(Throwable thrown) {
        if (thrown instanceof RedisCommandTimeoutException) {
            return Status.TIMEOUT;
        }
        Status told = Network.statusOf(thrown);
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
