import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { NodeLists, sequenceOf, tagValue } from '../src/node-lists.js';
import { Changes } from '../src/changes.js';
import { outcomeOfChange, outcomeOfRead, outcomeOfWrite } from '../src/results.js';

const OK = 0;
const ITEM_ERROR = 5;
const WRONG_ANSWER = 6;

function specOf(reads, writes, parameters = {}, facts = {}) {
  return { parameters, facts, operations: { read: { items: reads }, write: { items: writes } } };
}

// Expected values are those of the suite's README, worked out by hand.
test('tags are those of the README', () => {
  const { reads, writes } = new NodeLists(specOf(2000, 200));
  assert.deepEqual([reads.length, reads[1999]], [2000, 'ns=1;s=T1999']);
  assert.deepEqual([writes.length, writes[199]], [200, 'ns=1;s=T1990']);
  assert.deepEqual(tagValue(1, 0), { type: 'Int32', value: 7919 });
  assert.deepEqual(tagValue(1000, 3), { type: 'Double', value: 8233.187 });
  assert.deepEqual(tagValue(1800, 0), { type: 'String', value: 'tag1800-0014254200' });
  assert.equal(sequenceOf({ phase: 'preflight', tick: 2 }), 900_002);
  assert.equal(sequenceOf({ phase: 'measure', tick: 7 }), 1_000_007);
});

test('probes change one item', () => {
  const unknown = new NodeLists(specOf(10, 10, { probe: 'unknown-node' }));
  assert.deepEqual(unknown.reads.slice(2, 4), ['ns=1;s=T0002', 'ns=1;s=no-such-tag']);
  const wrong = new NodeLists(specOf(10, 10, { probe: 'wrong-type' }));
  assert.equal(wrong.value(0, 1).type, 'String');
  assert.deepEqual(wrong.value(1, 0), { type: 'Int32', value: 79_190 });
});

test('more items than there are tags are refused', () => {
  assert.throws(() => new NodeLists(specOf(2001, 0)), { name: 'SpecError' });
  assert.throws(() => new NodeLists(specOf(1, 201)), { name: 'SpecError' });
});

test('an answer leaves out what is bad', () => {
  const nodeLists = new NodeLists(specOf(3, 2));
  const values = [1, 'kept where it is bad', 0.5];
  const bad = [{ position: 1, name: 'BadNodeIdUnknown', text: 'no such node' }];
  const outcome = outcomeOfRead(nodeLists, { count: 3, bad, value: (i) => values[i] });
  assert.equal(outcome.status, ITEM_ERROR);
  assert.deepEqual(outcome.answer(), { values: [1, null, 0.5], bad: [[1, 'BadNodeIdUnknown']] });
  const [item] = outcome.items;
  assert.deepEqual(
    [item.name, item.code, item.message],
    ['StatusCode', 'BadNodeIdUnknown', 'item 1, ns=1;s=T0001: no such node'],
  );
  const written = outcomeOfWrite(nodeLists, { count: 2, bad: [] }, 7);
  assert.deepEqual([written.status, written.answer()], [OK, { sequence: 7, bad: [] }]);
  assert.equal(outcomeOfWrite(nodeLists, { count: 1, bad: [] }, 7).status, WRONG_ANSWER);
});

test("of a server of the user's own values are counted", (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wirelab-opcua-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const list = join(folder, 'nodes.txt');
  writeFileSync(list, 'i=2258\nns=2;s=Speed\n');
  const nodeLists = new NodeLists(specOf(2, 0, {}, { server: { node_list: list } }));
  assert.deepEqual(nodeLists.reads, ['i=2258', 'ns=2;s=Speed']);
  const values = [1, null];
  const outcome = outcomeOfRead(nodeLists, { count: 2, bad: [], value: (i) => values[i] });
  assert.deepEqual(outcome.answer(), { valued: 1, bad: [] });
});

test('a change is whole when every tag has come', async () => {
  const changes = new Changes(2);
  const first = changes.number(0);
  const late = assert.rejects(changes.number(2), { message: 'lost' });
  changes.put(0, { value: 'a' });
  changes.put(0, { value: 'b' });
  changes.put(1, { value: 'x' });
  // What came again before the others is of the change after.
  changes.putAll([{ value: 'c' }, { value: 'y' }]);
  changes.fail(new Error('lost'));
  assert.deepEqual(await first, [{ value: 'b' }, { value: 'x' }]);
  assert.deepEqual(await changes.number(1), [{ value: 'c' }, { value: 'y' }]);
  await late;
});

test('what is watched is answered as what is read', () => {
  const spec = specOf(0, 0);
  spec.operations.notification = { items: 2 };
  const nodeLists = new NodeLists(spec);
  assert.deepEqual(nodeLists.watched, ['ns=1;s=T0000', 'ns=1;s=T0001']);
  const bad = { name: 'BadNodeIdUnknown', text: 'no such node' };
  const outcome = outcomeOfChange(nodeLists, [{ value: 1 }, { value: 2, bad }]);
  assert.equal(outcome.status, ITEM_ERROR);
  assert.deepEqual(outcome.answer(), { values: [1, null], bad: [[1, 'BadNodeIdUnknown']] });
});
