/** Microbenchmarks: batches by a clock of their own, and a worker's whole life. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Batches } from '../src/batches.js';
import { Worker } from './worker.js';

const { loops } = JSON.parse(
  readFileSync(new URL('../../vectors/batches.json', import.meta.url), 'utf8'),
);
const probe = { reading: () => ({ gc_count: 0, gc_pause_ns: 0 }) };

/** Batches that are taken of the loop of a vector. */
async function taken({ plan, inputs, audited, cost_ns: costs }, isStopped = () => false) {
  let now = 0;
  let begun = 0;
  const run = (iterations) => {
    now += iterations * costs[Math.min(begun, costs.length - 1)];
    begun += 1;
    return 0;
  };
  const worker = { probe, isStopped: () => isStopped(begun) };
  const audit = audited ? () => 0 : undefined;
  const batches = new Batches({ run, inputs, audit }, plan, worker, () => now);
  await batches.take();
  return batches.lines.map(({ phase, rounds }) => [phase, rounds]);
}

for (const vector of loops) {
  test(`batches are those of the contract: ${vector.name}`, async () => {
    assert.deepEqual(await taken(vector), vector.batches);
  });
}

test('what an audit collects counts for no batch', async () => {
  let collected = 0;
  const counting = { reading: () => ({ gc_count: collected, gc_pause_ns: 0 }) };
  let now = 0;
  const run = (iterations) => {
    now += iterations;
    return 0;
  };
  // V8's notice of a collection comes with the next turn of the event loop.
  const audit = () => {
    setImmediate(() => {
      collected += 1;
    });
    return 0;
  };
  const plan = { batch_ns: 8, count: 3, warmup_ns: 1, agree: 0.02 };
  const worker = { probe: counting, isStopped: () => false };
  const batches = new Batches({ run, inputs: 1, audit }, plan, worker, () => now);
  await batches.take();
  const measured = batches.lines.filter(({ phase }) => phase === 'measure');
  assert.equal(collected, 3);
  assert.deepEqual(measured.map((line) => line.gc_count), [0, 0, 0]);
});

test('nothing is begun after a stop', async () => {
  assert.equal(loops.length, 11);
  const found = await taken(loops[0], (begun) => begun === 2);
  assert.deepEqual(found, loops[0].batches.slice(0, 2));
});

test('a worker writes the batches of its loops, and one line of what failed', async (t) => {
  const record = 'batches';
  const worker = new Worker(t, {
    program: 'scripted-batches.js',
    operations: { absent: { record }, broken: { record }, add: { record } },
    batches: { steps: ['a', 'b'], rounds: 7, batch_ns: 1, count: 2, warmup_ns: 1, agree: 0.02 },
  });
  await worker.until('ready');
  worker.say('{"command": "start", "monotonic_ns": 1}');
  const done = await worker.until('done');
  assert.equal(await worker.ended, 0);
  const lines = String(worker.file('batches')).trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ step, operation, phase, class: of }) => [step, operation, phase, of]),
    ['a', 'b'].flatMap((step) => [
      [step, 'broken', 'failed', 'RangeError'],
      [step, 'add', 'measure', undefined],
      [step, 'add', 'measure', undefined],
    ]),
  );
  assert.equal(done.batches, 6);
  assert.equal(done.answers, 2);
});
