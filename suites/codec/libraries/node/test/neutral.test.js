import assert from 'node:assert/strict';
import { test } from 'node:test';

import { neutral } from '../src/neutral.js';

test('a BigInt is an integer, and a string of digits stays a string', () => {
  const told = neutral({ a: [2n ** 64n, -1n], b: '1', c: 1.5 });
  assert.equal(told, '{"a":[18446744073709551616,-1],"b":"1","c":1.5}');
});

test('a lone surrogate is told by its escape', () => {
  for (const lone of ['\ud800', 'a\udc00', '\\\ud800', '\udc00\ud800']) {
    const told = JSON.parse(neutral([lone]))[0];
    assert.ok(told.isWellFormed());
    assert.match(told, /\\ud[8c]00/);
  }
});

test('other text is what it was', () => {
  for (const text of ['😀', '\\ud800', '\\\\ud800', '"\n', '가']) {
    assert.equal(JSON.parse(neutral([text]))[0], text);
  }
});
