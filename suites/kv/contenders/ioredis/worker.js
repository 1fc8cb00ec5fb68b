/** ioredis: MGET of packed records, on one connection. */

import { Redis } from 'ioredis';
import { installedVersion, networkStatus, Status } from 'wirelab-sdk';
import { addressOf, readBatches, unpack } from 'wirelab-kv';

const NS_PER_MS = 1e6;

await readBatches(installedVersion('ioredis'), (spec) => {
  const redis = new Redis({
    ...addressOf(spec.endpoints.server),
    lazyConnect: true,
    commandTimeout: spec.limits.operation_ns / NS_PER_MS,
  });
  // Each call says what became of it; without a listener the library would print the rest.
  redis.on('error', () => {});
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
    statusOf,
    close: () => redis.disconnect(),
  };
});

/** The library tells some failures by their messages alone. */
function statusOf(why) {
  if (why.message === 'Command timed out') return Status.TIMEOUT;
  if (why.message === 'Connection is closed.') return Status.DISCONNECTED;
  if (why.name === 'MaxRetriesPerRequestError') return Status.DISCONNECTED;
  return networkStatus(why);
}
