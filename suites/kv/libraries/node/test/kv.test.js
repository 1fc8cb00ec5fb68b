/** Expected values are those of the suite's verifier. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { addressOf } from '../src/address.js';
import { multiGetOf, keysOf } from '../src/multi-gets.js';
import { checksum, summaryOf, unpack } from '../src/rows.js';

const SOME = [1, -2, 3, 4, 5, 0.5, 0.25, 0, -1, 2, 3, 4, Number.MAX_VALUE];

test('keys are drawn as the README says', () => {
  const draw = { set: 3, keys: 4, universe: 10_000, repeated: false };
  assert.deepEqual(keysOf(4711, draw, 17), ['k2793', 'k9144', 'k8726', 'k3422']);
  const one = keysOf(4711, { ...draw, repeated: true }, 17);
  assert.deepEqual(one, Array(4).fill('k2793'));
  assert.deepEqual([multiGetOf(0, 0), multiGetOf(0, 1), multiGetOf(7, 9)], [47, 1, 35]);
});

test("the checksum is the README's", () => {
  assert.equal(checksum([SOME, null]), 'c25d78de1d513560');
  assert.notEqual(checksum([null, SOME]), checksum([SOME, null]));
  assert.equal(checksum([]), '0'.repeat(16));
});

test('a packed row comes back', () => {
  const packed = Buffer.alloc(104);
  SOME.forEach((value, j) => {
    if (j < 5) packed.writeBigInt64LE(BigInt(value), 8 * j);
    else packed.writeDoubleLE(value, 8 * j);
  });
  assert.deepEqual(unpack(packed), SOME);
  assert.throws(() => unpack(packed.subarray(1)), RangeError);
});

test('a summary sees what is missing and what is another record', () => {
  assert.deepEqual(summaryOf([SOME, null]), { rows: 2, found: 1, sum: 1 });
});

test('endpoints may have a scheme', () => {
  for (const given of ['127.0.0.1:1', 'redis://127.0.0.1:1', 'redis://127.0.0.1:1/']) {
    assert.deepEqual(addressOf(given), { host: '127.0.0.1', port: 1 });
  }
  assert.throws(() => addressOf(undefined), /HOST:PORT/);
});
