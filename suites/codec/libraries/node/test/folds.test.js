import assert from 'node:assert/strict';
import { test } from 'node:test';

import { foldBytes, foldNative, foldText } from '../src/folds.js';

test('a string is its length, first and last unit of UTF-16', () => {
  assert.equal(foldText(''), 0);
  assert.equal(foldText('ab'), 2 + 31 * 97 + 17 * 98);
  assert.equal(foldText('😀'), 2 + 31 * 0xd83d + 17 * 0xde00);
});

test('bytes are their length, first, middle and last', () => {
  assert.equal(foldBytes(Buffer.alloc(0)), 0);
  assert.equal(foldBytes(Buffer.from([1, 2, 3, 4])), 28 + 1 + 9 + 20);
});

test('integers enter with their low 32 bits, fractions truncated towards zero', () => {
  const zero = { c: 0, uc: 0, i16: 0, u16: 0, i32: 0, u32: 0, i64: 0, u64: 0, f: 0, d: 0 };
  const fold = (/** @type {object} */ fields) => foldNative.T1({ ...zero, ...fields }) >>> 0;
  assert.equal(fold({ i64: -(2 ** 53) + 1 }), 13);
  assert.equal(fold({ u64: 2 ** 53 - 1 }), 2 ** 32 - 15);
  assert.equal(fold({ d: -1.75 }), 2 ** 32 - 19);
  assert.equal(fold({ f: 2.75 }), 34);
});

test('a map folds to the same in any order', () => {
  const one = foldNative.T5({ a: [1, 2], b: [3] });
  assert.equal(one, foldNative.T5({ b: [3], a: [1, 2] }));
  assert.notEqual(one, foldNative.T5({ a: [2, 1], b: [3] }));
});
