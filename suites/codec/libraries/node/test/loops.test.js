import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as encode from '../src/loops.js?T3.encode';
import * as decode from '../src/loops.js?T3.decode';

test('each pair of shape and operation has functions of its own', () => {
  assert.notEqual(encode.folding, decode.folding);
  assert.notEqual(encode.foldNative.T3, decode.foldNative.T3);
});

test('iteration i works on input i modulo their number, and checksums add up', () => {
  const seen = [];
  const produce = (/** @type {number} */ input) => {
    seen.push(input);
    return input;
  };
  const loop = encode.folding([1, 2, 4], produce, (result) => result << 29);
  assert.equal(loop(5), ((1 + 2 + 4 + 1 + 2) * 2 ** 29) % 2 ** 32);
  assert.deepEqual(seen, [1, 2, 4, 1, 2]);
  assert.equal(encode.kept.result, 2);
});

test('a dropping loop does the work and sums nothing', () => {
  let calls = 0;
  const loop = encode.dropping([1, 2], () => {
    calls += 1;
  });
  assert.equal(loop(5), 0);
  assert.equal(calls, 5);
});

test('a round trip goes by the messages where there are some', () => {
  const plain = { encode: (v) => [v], decode: ([v]) => v };
  assert.equal(encode.roundTrip(plain)(7), 7);
  const wrapping = { ...plain, toMessage: (v) => v + 1, fromMessage: (v) => v * 2 };
  assert.equal(encode.roundTrip(wrapping)(7), 16);
});
