/** memcache-client: gets of packed records, one after the other on the connections of its pool. */

import { MemcacheClient } from 'memcache-client';
import { installedVersion, networkStatus, parameter, Status } from 'wirelab-sdk';
import { addressOf, readMultiGets, unpack } from 'wirelab-kv';

const NS_PER_MS = 1e6;

/** Values as they lie in the server: the library's flags tell types, and without any it makes text
 * of a value. */
class Bytes extends MemcacheClient {
  _unpackValue({ data }) {
    return data;
  }
}

await readMultiGets(installedVersion('memcache-client'), (spec) => {
  const { host, port } = addressOf(spec.endpoints.server);
  const limit = spec.limits.operation_ns / NS_PER_MS;
  const maxConnections = parameter(spec, 'pool', 0) || parameter(spec, 'connections', 1);
  const client = new Bytes({
    server: { server: `${host}:${port}`, maxConnections },
    cmdTimeout: limit,
    connectTimeout: limit,
  });
  return {
    // The library connects with the first call.
    open: () => client.version(),
    prepare: (set, keys) => keys.map((key) => `wirelab:set_${set}:${key}`),
    async read(keys) {
      const values = await client.get(keys);
      return keys.map((key) => (values[key] ? unpack(values[key].value) : null));
    },
    statusOf,
    close: () => client.shutdown(),
  };
});

/** The library tells what became of a connection by its messages alone. */
function statusOf(why) {
  if (/^(command|connect) timeout$/i.test(why.message)) return Status.TIMEOUT;
  if (/^socket (end|close|error)/.test(why.message)) return Status.DISCONNECTED;
  return networkStatus(why);
}
