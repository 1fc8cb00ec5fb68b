import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CgdError } from '../cgd-error.js';
import { CgdReader } from '../cgd-reader.js';
import { CgdWriter } from '../cgd-writer.js';

const hex = (/** @type {string} */ text) => Buffer.from(text, 'hex');

test('a string is its units and a NUL, after how many they are', () => {
  const writer = new CgdWriter();
  writer.appendString('A가');
  assert.equal(writer.take().toString('hex'), '03000000410000ac0000');
  writer.appendString('');
  assert.equal(writer.take().toString('hex'), '010000000000');
});

test('strings of any length come back, lone surrogates too', () => {
  for (const length of [0, 1, 47, 48, 49, 500]) {
    const writer = new CgdWriter();
    const text = '\ud800가'.repeat(length);
    writer.appendString(text);
    assert.equal(new CgdReader(writer.take()).extractString(), text);
  }
});

test('64-bit integers are exact up to 2^53 and refused beyond', () => {
  const writer = new CgdWriter();
  for (const value of [0, -1, 2 ** 32, -(2 ** 32) - 1, 2 ** 53 - 1, -(2 ** 53) + 1]) {
    writer.appendInt64(value);
    assert.equal(new CgdReader(writer.take()).extractInt64(), value);
  }
  assert.throws(() => writer.appendInt64(2 ** 53), CgdError);
  assert.throws(() => new CgdReader(hex('ffffffffffff7f00')).extractInt64(), CgdError);
  assert.throws(() => new CgdReader(hex('0000000000002000')).extractUint64(), CgdError);
});

test('messages stay as they are when the slab is full', () => {
  const writer = new CgdWriter(16);
  const messages = Array.from({ length: 40 }, (_, k) => {
    writer.appendInt32(k);
    writer.appendInt8(-k);
    writer.appendDouble(k / 4);
    return writer.take();
  });
  messages.forEach((message, k) => {
    const reader = new CgdReader(message);
    const read = [reader.extractInt32(), reader.extractInt8() + k, reader.extractDouble()];
    assert.deepEqual(read, [k, 0, k / 4]);
    reader.finish();
  });
});

test('nothing is read of the messages around one', () => {
  const writer = new CgdWriter();
  writer.appendInt16(1);
  const first = writer.take();
  writer.appendInt32(2);
  assert.throws(() => new CgdReader(first).extractInt32(), CgdError);
});

test('counts that the bytes cannot hold are refused', () => {
  const numbers = (reader) => reader.extractList(4, () => reader.extractInt32());
  for (const bad of ['ffffff7f', 'ffffffff', 'feffffff', '0200000001000000', '']) {
    assert.throws(() => numbers(new CgdReader(hex(bad))), CgdError, bad);
  }
});

test('strings without an end are refused', () => {
  for (const bad of ['00000000', 'ffffffff', '0200000041004200', '020000004100']) {
    assert.throws(() => new CgdReader(hex(bad)).extractString(), CgdError, bad);
  }
});

test('a key cannot change the prototype of a map', () => {
  const writer = new CgdWriter();
  writer.appendMap(JSON.parse('{"__proto__": 1}'), (to, value) => to.appendInt32(value));
  const map = new CgdReader(writer.take()).extractMap(4, (reader) => reader.extractInt32());
  assert.deepEqual(Object.entries(map), [['__proto__', 1]]);
});

test('what is left over is refused', () => {
  assert.throws(() => new CgdReader(hex('00')).finish(), CgdError);
});
