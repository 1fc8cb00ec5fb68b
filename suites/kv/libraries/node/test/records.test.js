/** Expected values are those of the harness in Python, which the suite's verifier agrees with. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { Status } from 'wirelab-sdk';

import { Records } from '../src/records.js';
import { nameOfUser, sequenceOf, valueOf } from '../src/user-table.js';
import { Draws } from '../src/workload.js';

const FOUR = {
  records: 4,
  first: [0, 1, 2, 3],
  until: [1099511627776, 1653091295746, 2023643827083, 2302358886614],
};
const SPEC = { seed: 4711, facts: { server: { popularity: FOUR } } };

/** A table in memory; `dropped`: what is written never comes there. */
function table(fault = '') {
  const rows = new Map();
  // A client knows the head alone of what was loaded.
  const loaded = (record, field) => Buffer.from(valueOf(record, field, 0)).fill('0', 25);
  for (let record = 0; record < 4; record += 1) {
    rows.set(nameOfUser(record), Array.from({ length: 10 }, (_, field) => loaded(record, field)));
  }
  return {
    readRecord: async (key) => rows.get(key),
    async writeRecord(key, field, value) {
      if (fault !== 'dropped') rows.set(key, rows.get(key).with(field, value));
    },
    async insertRecord(key, values) {
      assert(!rows.has(key));
      rows.set(key, values);
    },
    async modifyRecord(key, field, value) {
      const found = rows.get(key);
      rows.set(key, found.with(field, value));
      return found;
    },
  };
}

const stepOf = (workload) => ({ name: workload, parameters: { workload } });

test('records are drawn as the README says', () => {
  const draws = new Draws(SPEC);
  const drawn = [
    ['a', 0, 0],
    ['f', 1, 2],
    ['f', 2, 2],
    ['d', 33, 0],
    ['d', 20, 0],
  ].map(([workload, tick, lane]) => {
    const { kind, rank, field } = draws.at(workload, tick, lane);
    return [kind, rank, field, draws.recordOf(workload, rank, 9)];
  });
  assert.deepEqual(drawn, [
    ['update', 0, 9, 3],
    ['modify', 0, 0, 3],
    ['read', 2, 5, 2],
    ['read', 3, 5, 6],
    ['insert', 1, 5, 8],
  ]);
});

test('a field says who wrote it', () => {
  assert.equal(nameOfUser(7), 'user07191089600892374487');
  const written = valueOf(7, 3, 12);
  assert.equal(written.toString('latin1', 0, 40), '0000000000073000000000012udkbbytiqqfqhnb');
  const head = Buffer.from(valueOf(7, 3, 0)).fill('0', 25);
  const found = [
    sequenceOf(written, 7, 3, 8),
    sequenceOf(head, 7, 3, 8), // of a record that was loaded
    sequenceOf(head, 7, 3, 7),
    sequenceOf(written, 7, 4, 8),
    sequenceOf(written.subarray(1), 7, 3, 8),
  ];
  assert.deepEqual(found, [12, 0, undefined, undefined, undefined]);
});

test('every workload finds what was written', async () => {
  const records = new Records(SPEC, table());
  const kinds = {};
  for (const workload of 'abcfd') {
    for (let tick = 0; tick < 100; tick += 1) {
      const turns = [0, 1, 2, 3].map((lane) => ({ step: stepOf(workload), tick, lane }));
      const tasks = turns.map((turn) => records.prepare(turn));
      const ended = await Promise.all(tasks.map((task) => records.call(task)));
      for (const [lane, one] of ended.entries()) {
        const outcome = records.judge(turns[lane], one);
        assert.equal(outcome.status, Status.OK, outcome.error?.message);
        const { kind } = outcome.answer();
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      }
    }
  }
  assert.deepEqual(Object.keys(kinds).sort(), ['insert', 'modify', 'read', 'update']);
});

test('what was dropped is a wrong answer', async () => {
  const records = new Records(SPEC, table('dropped'));
  const statuses = new Set();
  for (let tick = 0; tick < 50; tick += 1) {
    const turn = { step: stepOf('a'), tick, lane: 0 };
    const outcome = records.judge(turn, await records.call(records.prepare(turn)));
    statuses.add(outcome.status);
  }
  assert.deepEqual(statuses, new Set([Status.OK, Status.WRONG_ANSWER]));
});

test('two changes of one value are a wrong answer', async () => {
  const store = table();
  const records = new Records(SPEC, store);
  const draws = new Draws(SPEC);
  const due = (tick) => draws.at('f', tick, 0);
  const ticks = Array.from({ length: 200 }, (_, tick) => tick);
  const [first, ...others] = ticks.filter((tick) => due(tick).kind === 'modify');
  const isAlike = (tick) => due(tick).rank === due(first).rank && due(tick).field === due(first).field;
  const turns = [first, others.find(isAlike)].map((tick) => ({ step: stepOf('f'), tick, lane: 0 }));
  const tasks = turns.map((turn) => records.prepare(turn));
  // Both read what was loaded, and the second one replaces what the first one wrote.
  const found = await store.readRecord(tasks[0].key);
  const statuses = tasks.map((task, n) => records.judge(turns[n], { task, found }).status);
  assert.deepEqual(statuses, [Status.OK, Status.WRONG_ANSWER]);
});

test('a client without records says so', () => {
  assert.throws(() => new Records(SPEC, {}), /no records/);
});
