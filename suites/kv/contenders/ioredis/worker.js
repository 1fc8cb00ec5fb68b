/** ioredis: MGET of packed records, and hashes of single ones, on one connection; transactions
 * have others. */

import { Redis } from 'ioredis';
import { installedVersion, networkStatus, Status } from 'wirelab-sdk';
import { addressOf, FIELD_NAMES, readMultiGets, unpack } from 'wirelab-kv';

const NS_PER_MS = 1e6;

await readMultiGets(installedVersion('ioredis'), (spec) => {
  const redis = new Redis({
    ...addressOf(spec.endpoints.server),
    lazyConnect: true,
    commandTimeout: spec.limits.operation_ns / NS_PER_MS,
  });
  // Each call says what became of it; without a listener the library would print the rest.
  redis.on('error', () => {});
  /** Connections of transactions that have ended. */
  const idle = [];
  const made = [];
  return {
    async open() {
      // After a first failure the library goes on trying by itself.
      if (redis.status === 'wait') await redis.connect();
    },
    prepare: (set, keys) => keys.map((key) => `wirelab:set_${set}:${key}`),
    async read(keys) {
      const values = await redis.mgetBuffer(keys);
      return values.map((value) => (value === null ? null : unpack(value)));
    },
    readRecord: (key) => fieldsOf(redis, key),
    async writeRecord(key, field, value) {
      await redis.hset(key, FIELD_NAMES[field], value);
    },
    async insertRecord(key, values) {
      await redis.hset(key, ...FIELD_NAMES.flatMap((name, field) => [name, values[field]]));
    },
    async modifyRecord(key, field, value) {
      const own = idle.pop() ?? redis.duplicate({ lazyConnect: false });
      if (!made.includes(own)) {
        own.on('error', () => {});
        made.push(own);
      }
      const found = await modified(own, key, FIELD_NAMES[field], value);
      // One that failed in the middle of a transaction is of no use to the next one.
      idle.push(own);
      return found;
    },
    statusOf,
    close: () => [redis, ...made].forEach((one) => one.disconnect()),
  };
});

/** The fields of a hash; null where one of them is not there. */
async function fieldsOf(redis, key) {
  const values = await redis.hmgetBuffer(key, ...FIELD_NAMES);
  return values.includes(null) ? null : values;
}

/** WATCH is of a connection, and makes EXEC fail where another one has written since. */
async function modified(own, key, name, value) {
  for (;;) {
    await own.watch(key);
    const found = await fieldsOf(own, key);
    if ((await own.multi().hset(key, name, value).exec()) !== null) return found;
  }
}

/** The library tells some failures by their messages alone. */
function statusOf(why) {
  if (why.message === 'Command timed out') return Status.TIMEOUT;
  if (why.message === 'Connection is closed.') return Status.DISCONNECTED;
  if (why.name === 'MaxRetriesPerRequestError') return Status.DISCONNECTED;
  return networkStatus(why);
}
