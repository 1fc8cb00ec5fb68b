import assert from 'node:assert/strict';
import { test } from 'node:test';

import { processAnswering, Worker } from './worker.js';

const HEADER = '574c53414d504c450100200001000000' + '00'.repeat(16);

test('a server from ready to done', async (t) => {
  const worker = new Worker(t, { parameters: { script: 'chatters' } });
  const ready = await worker.until('ready');
  assert.equal(ready.contract, 2);
  assert.deepEqual(ready.library, { name: 'scripted', version: '1.2.3' });
  assert.deepEqual(ready.runtime, { name: 'Node.js', version: process.versions.node });
  assert.deepEqual(ready.facts, { script: 'chatters' });
  assert.ok(Math.abs(ready.monotonic_ns - Number(process.hrtime.bigint())) < 60e9, 'the clock');
  assert.equal(worker.file('samples').toString('hex'), HEADER);
  assert.equal(worker.file('answers').length, 0);
  assert.equal(await processAnswering(ready.endpoint), worker.process.pid);

  const runtime = await worker.until('runtime');
  assert.ok(runtime.heap_bytes > 1e6);
  assert.equal(runtime.heap_kind, 'V8 heap in use');
  for (const key of ['gc_count', 'gc_pause_ns', 'loop_lag_ns']) {
    assert.ok(Number.isInteger(runtime[key]) && runtime[key] >= 0, key);
  }

  worker.say('{"command": "start", "monotonic_ns": 1}');
  worker.say('dance');
  worker.stop();
  const done = await worker.until('done');
  assert.deepEqual(done, { event: 'done', records: 0, answers: 0, checksum: '00000000' });
  assert.equal(await worker.ended, 0);
  assert.equal(worker.events.at(-2).event, 'runtime');
  assert.match(worker.stderr, /a library that prints\n/);
  assert.match(worker.stderr, /and one that writes\n/);
  assert.match(worker.stderr, /not a command: dance/);
  assert.doesNotMatch(worker.stderr, /serve came back|start/);
});

test('the end of standard input means stop', async (t) => {
  const worker = new Worker(t);
  await worker.until('ready');
  worker.process.stdin.end();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
});

test('stop before the server is open is obeyed', async (t) => {
  const worker = new Worker(t, { parameters: { script: 'opensNever' } });
  worker.stop();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
  assert.ok(worker.events.every((event) => event.event !== 'ready'));
});

test('a server that does not close is left as it is', async (t) => {
  const worker = new Worker(t, { parameters: { script: 'closesNever' } });
  await worker.until('ready');
  worker.stop();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
  assert.match(worker.stderr, /still closing/);
});

test('a server that fails to close has served', async (t) => {
  const worker = new Worker(t, { parameters: { script: 'closesBadly' } });
  await worker.until('ready');
  worker.stop();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
  assert.match(worker.stderr, /closing failed: Error: not open any more/);
});

test('a reader that is late loses nothing', async (t) => {
  const worker = new Worker(t, { parameters: { script: 'floods' } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const ready = await worker.until('ready');
  assert.equal(ready.event, 'ready');
  const numbers = worker.events.slice(0, -1).map((event) => event.records);
  assert.deepEqual(numbers, [...Array(1000).keys()]);
});

for (const [script, name, status, message] of [
  ['refuses', 'Error', 'ENOSPC', 'no room'],
  ['throwsLater', 'TypeError', '', 'later'],
]) {
  test(`what cannot go on is fatal: ${script}`, async (t) => {
    const worker = new Worker(t, { parameters: { script } });
    const error = await worker.until('error');
    assert.equal(error.scope, 'fatal');
    assert.deepEqual([error.class, error.status, error.message], [name, status, message]);
    assert.equal(await worker.ended, 1);
    assert.ok(worker.events.every((event) => event.event !== 'done'));
  });
}

test('a port that is taken is fatal with its address', async (t) => {
  const first = new Worker(t);
  const { endpoint } = await first.until('ready');
  const second = new Worker(t, { listen: new URL(endpoint).host });
  const error = await second.until('error');
  assert.equal(error.status, 'EADDRINUSE');
  assert.equal(await second.ended, 1);
});

test('a spec that cannot be used ends with 2 and without an event', async (t) => {
  const worker = new Worker(t, { contract: 1 });
  await assert.rejects(worker.until('ready'), /no spec of worker contract 2/);
  assert.equal(await worker.ended, 2);
  assert.deepEqual(worker.events, []);
});
