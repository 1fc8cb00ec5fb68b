import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cut, readsRecords, writesRecords } from '../src/streams.js';

const lines = (bytes, from) => bytes.indexOf('\n', from) + 1;

function* inChunks(text, size) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

test('records are cut wherever chunks end', () => {
  const text = 'one\n\ntwo and more\nthree\n';
  for (let size = 1; size <= text.length; size += 1) {
    const found = [...cut(inChunks(text, size), lines)].map(String);
    assert.deepEqual(found, ['one\n', '\n', 'two and more\n', 'three\n'], `chunks of ${size}`);
  }
});

test('a file that ends within a record is refused', () => {
  assert.throws(() => [...cut(inChunks('one\ntw', 3), lines)], RangeError);
});

/** Points as lines of JSON. */
const large = {
  writer: (sink) => (record) => sink.write(Buffer.from(`${JSON.stringify(record)}\n`)),
  *reader(chunks) {
    for (const line of cut(chunks, lines)) yield JSON.parse(line);
  },
};

test('a stream has its records so many times, and says the ends of what was written', () => {
  const records = [
    { time: 2 ** 40 + 5, value: -2.5, quality: 192 },
    { time: 7, value: 1e3, quality: 0 },
  ];
  const size = records.map((one) => JSON.stringify(one).length + 1).reduce((a, b) => a + b);
  const written = {};
  writesRecords(large, records, 3000)(written);
  assert.deepEqual(written, { size: 3000 * size, first: 0x7b, last: 0x0a });
  const read = {};
  readsRecords(large, records, 3000)(read);
  // 2^40 is 0 in 32 bits; a fraction is cut off.
  const each = 101 + 3 * 5 + 5 * -2 + 7 * 192 + 101 + 3 * 7 + 5 * 1000;
  assert.equal(read.fold, (3000 * each) >>> 0);
});
