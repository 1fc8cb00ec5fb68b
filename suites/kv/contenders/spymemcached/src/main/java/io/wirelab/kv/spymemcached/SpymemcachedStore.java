package io.wirelab.kv.spymemcached;

import io.wirelab.kv.Clients;
import io.wirelab.kv.Network;
import io.wirelab.kv.RecordStore;
import io.wirelab.kv.Row;
import io.wirelab.kv.UserTable;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.CachedData;
import net.spy.memcached.ConnectionFactory;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.OperationFuture;
import net.spy.memcached.transcoders.Transcoder;

/** Bulk gets of packed records, and single ones as one value, on the library's one connection. */
final class SpymemcachedStore implements RecordStore<List<String>> {
    private static final int FOR_EVER = 0;

    /** Values as they lie in the server: the library's own forms have flags, which tell their types. */
    private static final Transcoder<byte[]> BYTES = new Transcoder<>() {
        @Override
        public boolean asyncDecode(CachedData data) {
            return false;
        }

        @Override
        public CachedData encode(byte[] value) {
            return new CachedData(0, value, getMaxSize());
        }

        @Override
        public byte[] decode(CachedData data) {
            return data.getData();
        }

        @Override
        public int getMaxSize() {
            return CachedData.MAX_SIZE;
        }
    };

    private final InetSocketAddress server;
    private final ConnectionFactory connections;
    private MemcachedClient client;

    public static void main(String[] arguments) {
        Clients.main(SpymemcachedStore::new);
    }

    SpymemcachedStore(Spec spec) {
        InetSocketAddress named = Network.addressOf(spec.endpoints().text("server"));
        server = new InetSocketAddress(named.getHostString(), named.getPort());
        connections = new ConnectionFactoryBuilder()
                .setOpTimeout(TimeUnit.NANOSECONDS.toMillis(spec.limits().operationNs()))
                .setDaemon(true)
                .build();
    }

    @Override
    public Map<String, String> library() {
        String version = MemcachedClient.class.getPackage().getImplementationVersion();
        return Map.of("name", "spymemcached", "version", version);
    }

    /** The library connects by itself, and again; that a key is looked at shows that it has. */
    @Override
    public void connect() throws IOException {
        if (client == null) {
            client = new MemcachedClient(connections, List.of(server));
        }
        client.get("wirelab", BYTES);
    }

    @Override
    public List<String> prepare(int set, String[] keys) {
        return Arrays.stream(keys).map(key -> "wirelab:set_" + set + ":" + key).toList();
    }

    @Override
    public Row[] read(List<String> keys) {
        Map<String, byte[]> found = client.getBulk(keys, BYTES);
        Row[] rows = new Row[keys.size()];
        for (int i = 0; i < rows.length; i++) {
            byte[] packed = found.get(keys.get(i));
            if (packed != null) {
                rows[i] = Row.unpack(packed);
            }
        }
        return rows;
    }

    @Override
    public boolean hasWholeRecords() {
        return true;
    }

    @Override
    public List<byte[]> readRecord(String key) {
        byte[] found = client.get(key, BYTES);
        return found == null ? null : UserTable.parted(found);
    }

    @Override
    public void writeRecord(String key, int from, List<byte[]> values) throws Exception {
        stored(client.replace(key, FOR_EVER, UserTable.joined(values), BYTES));
    }

    @Override
    public void insertRecord(String key, List<byte[]> values) throws Exception {
        stored(client.add(key, FOR_EVER, UserTable.joined(values), BYTES));
    }

    private static void stored(OperationFuture<Boolean> answer) throws Exception {
        if (!answer.get()) {
            throw new IllegalStateException("not stored: " + answer.getStatus().getMessage());
        }
    }

    /** The token that comes with a value is its version. */
    @Override
    public List<byte[]> modifyRecord(String key, int from, List<byte[]> values) {
        byte[] changed = UserTable.joined(values);
        while (true) {
            CASValue<byte[]> found = client.gets(key, BYTES);
            if (found == null) {
                return null;
            }
            CASResponse answer = client.cas(key, found.getCas(), changed, BYTES);
            if (answer == CASResponse.OK) {
                return UserTable.parted(found.getValue());
            }
            if (answer != CASResponse.EXISTS) {
                throw new IllegalStateException("cas: " + answer);
            }
        }
    }

    /** Operations of a connection that is lost are cancelled. */
    @Override
    public Status statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof CancellationException) {
                return Status.DISCONNECTED;
            }
        }
        return Status.of(thrown);
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdown();
        }
    }
}
