/** The official client of Aerospike: batchRead of whole records. */

import Aerospike from 'aerospike';
import { installedVersion, parameter, Status } from 'wirelab-sdk';
import { addressOf, DOUBLES, INTEGERS, readMultiGets } from 'wirelab-kv';

const NAMESPACE = 'wirelab';
const NS_PER_MS = 1e6;
const BINS = [...INTEGERS, ...DOUBLES];
const { status } = Aerospike;

/** A record of a multi-get that the server refused, which is not one that it does not have. */
class RecordError extends Error {
  name = 'RecordError';
}

const CONNECTION_CODES = new Set([
  status.ERR_CONNECTION,
  status.ERR_ASYNC_CONNECTION,
  status.ERR_INVALID_NODE,
]);

await readMultiGets(installedVersion('aerospike'), (spec) => {
  const { host, port } = addressOf(spec.endpoints.server);
  const limitMs = Math.floor(spec.limits.operation_ns / NS_PER_MS);
  const config = { hosts: [{ addr: host, port }] };
  // 0: the library's default of 100 for a node.
  const pool = parameter(spec, 'pool', 0);
  if (pool > 0) config.maxConnsPerNode = pool;
  const policy = new Aerospike.BatchPolicy({ totalTimeout: limitMs });
  let client;
  return {
    async open() {
      // One that has failed to connect cannot be used again.
      const fresh = Aerospike.client(config);
      await fresh.connect();
      client = fresh;
    },
    prepare: (set, keys) =>
      keys.map((key) => ({
        type: Aerospike.batchType.BATCH_READ,
        key: new Aerospike.Key(NAMESPACE, `set_${set}`, key),
        readAllBins: true,
      })),
    async read(records) {
      return (await client.batchRead(records, policy)).map(rowOf);
    },
    statusOf,
    close: () => client?.close(false),
  };
});

function rowOf(result) {
  if (result.status === status.ERR_RECORD_NOT_FOUND) return null;
  if (result.status !== status.OK) throw new RecordError(status.getMessage(result.status));
  const { bins } = result.record;
  return BINS.map((name) => numberOf(bins, name));
}

function numberOf(bins, name) {
  const value = bins[name];
  if (typeof value !== 'number') throw new TypeError(`bin ${name} is a ${typeof value}`);
  return value;
}

function statusOf(why) {
  if (why instanceof RecordError) return Status.ITEM_ERROR;
  if (why.code === status.ERR_TIMEOUT) return Status.TIMEOUT;
  if (!CONNECTION_CODES.has(why.code)) return Status.ERROR;
  // A connection that could not be made has the code of one that was lost.
  return why.message.startsWith('Failed to connect') ? Status.REFUSED : Status.DISCONNECTED;
}
