import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Worker } from './worker.js';

const PERIOD_NS = 2e7;
const RECORD_BYTES = 32;

function client(t, count, changes) {
  return new Worker(t, {
    program: 'scripted-ticks.js',
    role: 'client',
    schedule: { loop: 'paced', first_ns: 5, period_ns: PERIOD_NS, count },
    ...changes,
  });
}

async function performed(worker, ...commands) {
  await worker.until('ready');
  const startNs = Number(process.hrtime.bigint());
  for (const command of commands) worker.say(JSON.stringify(command));
  worker.say(JSON.stringify({ command: 'start', monotonic_ns: startNs }));
  await worker.until('done');
  assert.equal(await worker.ended, 0, worker.stderr);
  return startNs;
}

/** Records without their header: tick, code, status. */
function recordsOf(worker, startNs) {
  const bytes = worker.file('samples').subarray(RECORD_BYTES);
  return Array.from({ length: bytes.length / RECORD_BYTES }, (_, i) => {
    const record = bytes.subarray(i * RECORD_BYTES);
    const [intended, start, end] = [0, 8, 16].map((at) => Number(record.readBigUInt64LE(at)));
    assert.ok(intended <= start && start <= end, `${intended} ${start} ${end}`);
    return [(intended - startNs - 5) / PERIOD_NS, record[28], record[29]];
  });
}

test('what is due at a tick is under way together', async (t) => {
  const worker = client(t, 3, {
    operations: { read: { code: 1 }, write: { code: 2, every: 2 } },
    verify: { preflight: { read: 2 } },
    parameters: { close: 'fails' },
  });
  const startNs = await performed(worker, {
    command: 'answer',
    asked: 0,
    operation: 'write',
    lane: 0,
  });
  // What was recorded stays, however the library takes leave.
  assert.match(worker.stderr, /closing failed: Scripted: not open any more/);
  // The read of an even tick waits for the write that was issued after it.
  const due = [0, 0, 1, 2, 2];
  const records = recordsOf(worker, startNs);
  assert.deepEqual(
    records.map(([tick]) => tick),
    due,
  );
  assert.deepEqual(records.map(([, code]) => code).sort(), [1, 1, 1, 2, 2]);
  const answers = String(worker.file('answers')).trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ phase, operation, tick, answer }) => [phase, operation, tick, answer]),
    [
      ['preflight', 'read', 0, { tick: 0 }],
      ['preflight', 'read', 1, { tick: 1 }],
      ['measure', 'write', 0, { tick: 0 }],
    ],
  );
});

test('connecting that is timed fails, hangs and succeeds as records', async (t) => {
  const worker = client(t, 3, {
    operations: { read: { code: 1, every: 9 }, connect: { code: 3 } },
    parameters: { connect: 'timed' },
    limits: { ready_ns: 1e10, operation_ns: 5e6, stop_ns: 2e9 },
  });
  const startNs = await performed(worker);
  assert.deepEqual(recordsOf(worker, startNs), [
    [0, 3, 4],
    [1, 3, 2],
    [2, 3, 5],
  ]);
  const said = worker.events.filter(({ event }) => event === 'error');
  assert.deepEqual(
    said.map((error) => [error.scope, error.class, error.operation]),
    [
      ['call', 'Scripted', 'connect'],
      ['call', 'GivenUp', 'connect'],
      ['item', 'Scripted', 'connect'],
      ['item', 'Scripted', 'connect'],
    ],
  );
});

test('nothing that failed is good, whatever its library calls it', async (t) => {
  const worker = client(t, 1, {
    operations: { read: { code: 1, every: 9 }, connect: { code: 3 } },
    parameters: { connect: 'timed', denied: true },
  });
  const startNs = await performed(worker);
  assert.deepEqual(recordsOf(worker, startNs), [[0, 3, 1]]);
});
