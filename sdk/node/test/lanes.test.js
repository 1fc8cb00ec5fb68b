import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Worker } from './worker.js';

const PERIOD_NS = 2e7;
const RECORD_BYTES = 32;
const READ = 1;
const CONNECT = 3;
const OK = 0;
const REFUSED = 4;
const ITEM_ERROR = 5;

function recordsOf(worker) {
  const bytes = worker.file('samples').subarray(RECORD_BYTES);
  return Array.from({ length: bytes.length / RECORD_BYTES }, (_, i) => {
    const record = bytes.subarray(i * RECORD_BYTES);
    return {
      intended: Number(record.readBigUInt64LE(0)),
      code: record[28],
      status: record[29],
      lane: record.readUInt16LE(30),
    };
  });
}

for (const loop of ['open', 'closed']) {
  test(`users connect before their lane reads, in a loop that is ${loop}`, async (t) => {
    const step = { first: 0, count: 4, settle: 1, join_ns: 1e7, parameters: {} };
    const worker = new Worker(t, {
      program: 'scripted-lanes.js',
      role: 'client',
      operations: { read: { code: READ }, connect: { code: CONNECT, due: 'join' } },
      schedule: {
        loop,
        first_ns: 0,
        period_ns: PERIOD_NS,
        count: 4,
        cycle: { length: 1, active: 1 },
        steps: [{ ...step, name: 'both', users: 2, lanes: 2 }],
      },
    });
    await worker.until('ready');
    const startNs = Number(process.hrtime.bigint());
    worker.say(JSON.stringify({ command: 'start', monotonic_ns: startNs }));
    await worker.until('done');
    assert.equal(await worker.ended, 0, worker.stderr);

    const records = recordsOf(worker);
    const joins = records.filter(({ code }) => code === CONNECT);
    assert.deepEqual(
      joins.map(({ lane, status }) => [lane, status]),
      [
        [0, OK],
        [1, REFUSED],
      ],
    );
    // The second of two is due after half of the time in which they join.
    if (loop === 'open') assert.deepEqual(joins.map(({ intended }) => intended - startNs), [0, 5e6]);
    const statuses = (user) =>
      records.filter(({ code, lane }) => code === READ && lane === user).map(({ status }) => status);
    // In a closed loop lanes settle as well.
    const settling = loop === 'open' ? [] : [OK];
    assert.deepEqual(statuses(0), [...settling, OK, ITEM_ERROR, OK]);
    assert.deepEqual(new Set(statuses(1)), new Set([REFUSED]));
    const said = worker.events.filter(({ event }) => event === 'error');
    const items = said.filter(({ scope }) => scope === 'item');
    assert.deepEqual(items.map(({ operation, message }) => [operation, message]), [['read', 'item']]);
    assert.equal(said.filter(({ operation }) => operation === 'connect').length, 1);
  });
}
