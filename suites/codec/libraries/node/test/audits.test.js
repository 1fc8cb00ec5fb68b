import assert from 'node:assert/strict';
import { test } from 'node:test';

import { auditOf } from '../src/audits.js';
import * as loops from '../src/loops.js?T3.decode';
import { swap, swapBytes } from '../src/swapping.js';

const honest = {
  encode: (value) => Buffer.from(JSON.stringify(value)),
  decode: (bytes) => JSON.parse(bytes.toString()),
};
const values = () => [[1, 2], [3, 4, 5]];
const twins = () => [[1, 9], [3, 4, 5, 5]];
const sum = (lists) => lists.reduce((total, list) => total + loops.foldNative.T3(list), 0) >>> 0;

function audited(operation, codec, inputs) {
  const wanted = { instances: values(), twins: twins() };
  return auditOf({ shape: 'T3', operation, codec, twins: twins(), inputs, wanted, loops });
}

test('values swap what they hold and stay the objects that they are', () => {
  const [one, other] = [{ a: 1, b: [2] }, { a: 3, b: [4, 5] }];
  const list = one.b;
  swap(one, other);
  assert.deepEqual([one, other], [{ a: 3, b: [4, 5] }, { a: 1, b: [2] }]);
  assert.equal(other.b, list);
  const [first, second] = [[1], [2, 3]];
  swap(first, second);
  assert.deepEqual([first, second], [[2, 3], [1]]);
});

test('encodings of one length are patched, others change their places', () => {
  const [patched, placed] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const encodings = [patched, placed];
  const others = [Uint8Array.of(1, 9), Uint8Array.of(4, 5)];
  swapBytes(encodings, others);
  assert.deepEqual(encodings, [Uint8Array.of(1, 9), Uint8Array.of(4, 5)]);
  assert.equal(encodings[0], patched);
  assert.equal(others[1], placed);
});

test('an audit is of the twins and leaves no trace', () => {
  assert.notEqual(sum(values()), sum(twins()));
  for (const operation of ['encode', 'decode', 'round_trip']) {
    const inputs = operation === 'decode' ? values().map(honest.encode) : values();
    const before = structuredClone(inputs.map((input) => [...input]));
    const audit = audited(operation, honest, inputs);
    assert.equal(audit(), sum(twins()), operation);
    assert.equal(audit(), sum(twins()), operation);
    assert.deepEqual(inputs.map((input) => [...input]), before);
  }
  assert.equal(audited('round_trip_unused', honest, values()), undefined);
});

test('a message may refer to its value, and is not spoiled', () => {
  const codec = { ...honest, toMessage: (list) => ({ list }), fromMessage: ({ list }) => list };
  const messages = {
    ...codec,
    encode: ({ list }) => honest.encode(list),
    decode: (bytes) => ({ list: honest.decode(bytes) }),
    fold: ({ list }) => sum([list]),
  };
  assert.equal(audited('to_message', messages, values())(), sum(twins()));
  const kept = values().map((list) => ({ list }));
  for (const operation of ['encode', 'from_message']) {
    const audit = audited(operation, messages, kept);
    assert.equal(audit(), sum(values()), operation);
    assert.equal(audit(), sum(values()), operation);
  }
});

test('who keeps encodings by their object, or shares a result, is found', () => {
  const known = new Map();
  const caching = {
    ...honest,
    encode: (value) => known.get(value) ?? known.set(value, honest.encode(value)).get(value),
  };
  const inputs = values();
  inputs.forEach((value) => caching.encode(value));
  assert.notEqual(audited('encode', caching, inputs)(), sum(twins()));
  const shared = [];
  const sharing = {
    ...honest,
    decode: (bytes) => shared.splice(0, 9, ...honest.decode(bytes)) && shared,
  };
  assert.notEqual(audited('decode', sharing, values().map(honest.encode))(), sum(twins()));
});

test('a difference that no fold sees is seen', () => {
  const inputs = [['abc'], ['xyz']];
  const leaving = { ...honest, decode: () => ['a-c'] };
  const wanted = { instances: [], twins: [['abc'], ['a-c']] };
  const parts = { shape: 'T4', operation: 'decode', twins: [['abc'], ['a-c']], loops };
  const encodings = inputs.map(honest.encode);
  const audit = auditOf({ ...parts, codec: leaving, inputs: encodings, wanted });
  const fold = loops.foldNative.T4(['a-c']);
  assert.equal(audit(), 2 * fold + 1);
});
