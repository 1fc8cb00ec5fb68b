package io.wirelab.kv.aerospike;

import com.aerospike.client.AerospikeClient;
import com.aerospike.client.AerospikeException;
import com.aerospike.client.Key;
import com.aerospike.client.Record;
import com.aerospike.client.ResultCode;
import com.aerospike.client.policy.BatchPolicy;
import com.aerospike.client.policy.ClientPolicy;
import io.wirelab.kv.Clients;
import io.wirelab.kv.Network;
import io.wirelab.kv.Row;
import io.wirelab.kv.Store;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.net.InetSocketAddress;
import java.util.Map;

/** Whole records by {@code get} of many keys, with blocking calls of one shared client. */
final class AerospikeStore implements Store<Key[]> {
    private static final String NAMESPACE = "wirelab";
    private static final String[] INTEGERS = {"c0", "c1", "c2", "c3", "c4"};
    private static final String[] DOUBLES = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};

    private final InetSocketAddress server;
    private final ClientPolicy clientPolicy = new ClientPolicy();
    private final BatchPolicy batchPolicy = new BatchPolicy();
    private volatile AerospikeClient client;

    public static void main(String[] arguments) {
        Clients.main(AerospikeStore::new);
    }

    AerospikeStore(Spec spec) {
        server = Network.addressOf(spec.endpoints().text("server"));
        Fields parameters = spec.parameters();
        batchPolicy.maxConcurrentThreads =
                parameters.integerWithin("max_concurrent_threads", 0, 1_000);
        batchPolicy.setTimeout(Math.toIntExact(spec.limits().operationNs() / 1_000_000));
        int pool = parameters.has("pool") ? parameters.integerWithin("pool", 0, 10_000) : 0;
        if (pool > 0) {
            clientPolicy.maxConnsPerNode = pool;
        }
    }

    @Override
    public Map<String, String> library() {
        String version = AerospikeClient.class.getPackage().getImplementationVersion();
        return Map.of("name", "aerospike-client-jdk8", "version", version);
    }

    @Override
    public void connect() {
        client = new AerospikeClient(clientPolicy, server.getHostString(), server.getPort());
    }

    @Override
    public Key[] prepare(int set, String[] keys) {
        Key[] prepared = new Key[keys.length];
        for (int i = 0; i < keys.length; i++) {
            prepared[i] = new Key(NAMESPACE, "set_" + set, keys[i]);
        }
        return prepared;
    }

    @Override
    public Row[] read(Key[] keys) {
        Record[] records = client.get(batchPolicy, keys);
        Row[] rows = new Row[records.length];
        for (int i = 0; i < records.length; i++) {
            if (records[i] != null) {
                rows[i] = rowOf(records[i].bins);
            }
        }
        return rows;
    }

    private static Row rowOf(Map<String, Object> bins) {
        long[] integers = new long[Row.INTEGERS];
        for (int j = 0; j < integers.length; j++) {
            integers[j] = (Long) bins.get(INTEGERS[j]);
        }
        double[] doubles = new double[Row.DOUBLES];
        for (int j = 0; j < doubles.length; j++) {
            doubles[j] = (Double) bins.get(DOUBLES[j]);
        }
        return new Row(integers, doubles);
    }

    @Override
    public Status statusOf(Throwable thrown) {
        Throwable why = reasonOf(thrown);
        Status told = why instanceof AerospikeException.Timeout
                ? Status.TIMEOUT : Status.of(why);
        if (told != Status.ERROR || !(why instanceof AerospikeException failed)) {
            return told;
        }
        return switch (failed.getResultCode()) {
            case ResultCode.TIMEOUT -> Status.TIMEOUT;
            case ResultCode.SERVER_NOT_AVAILABLE, ResultCode.INVALID_NODE_ERROR ->
                    client == null ? Status.REFUSED : Status.DISCONNECTED;
            default -> Status.ERROR;
        };
    }

    @Override
    public String nameOf(Throwable thrown) {
        return reasonOf(thrown) instanceof AerospikeException failed
                ? ResultCode.getResultString(failed.getResultCode()) : "";
    }

    /** A multi-get that failed says so alone; why is in its cause. */
    private static Throwable reasonOf(Throwable thrown) {
        boolean multiGet = thrown instanceof AerospikeException.BatchRecords;
        return multiGet && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }
}
