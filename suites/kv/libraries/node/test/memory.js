/**
 * A store without a database, for the tests: it computes the records that the suite's `README.md`
 * defines, which depend on no secret here, and passes them on packed, as Redis would. Of its reads
 * as many end as the parameter `ends` says.
 */

import { createHash } from 'node:crypto';

import { parameter } from 'wirelab-sdk';
import { readMultiGets, unpack } from 'wirelab-kv';

import { mix } from '../src/multi-gets.js';

const FOUND = [0, 840, 895, 645, 575, 980, 760, 910, 0, 690].map(BigInt);
const CARDINALITY = [100_000n, 50_000n, 20_000n, 10_000n, 3n];

function packed(set, key) {
  if (mix((BigInt(set) << 32n) | BigInt(key)) % 1000n >= FOUND[set]) return null;
  const digests = [digest(set, key, 0), digest(set, key, 1)];
  const bin = (j) => digests[j >> 3].readBigUInt64LE(8 * (j & 7));
  const bytes = Buffer.alloc(104);
  for (let j = 0; j < 5; j += 1) bytes.writeBigInt64LE(bin(j) % CARDINALITY[j], 8 * j);
  for (let j = 5; j < 13; j += 1) bytes.writeDoubleLE(Number(bin(j) >> 11n) / 2 ** 53, 8 * j);
  return bytes;
}

function digest(set, key, number) {
  const message = Buffer.alloc(16);
  message.writeUInt32LE(set, 0);
  message.writeBigUInt64LE(BigInt(key), 4);
  message.writeUInt32LE(number, 12);
  return createHash('sha512').update(message).digest();
}

await readMultiGets({ name: 'memory', version: '1' }, (spec) => {
  let left = parameter(spec, 'ends', Number.MAX_SAFE_INTEGER);
  return {
    async open() {},
    prepare: (set, keys) => keys.map((key) => packed(set, key.slice(1))),
    async read(multiGet) {
      left -= 1;
      if (left < 0) await new Promise(() => {});
      // As the network does: without it the event loop would never hear of a stop.
      await new Promise(setImmediate);
      return multiGet.map((value) => (value === null ? null : unpack(value)));
    },
    close() {},
  };
});
