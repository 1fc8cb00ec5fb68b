import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';

import { workerCount } from '../src/cluster.js';
import { processAnswering, Worker } from './worker.js';

function cluster(t, parameters = {}) {
  return new Worker(t, { args: ['cluster'], parameters: { workers: 2, ...parameters } });
}

/** The processes that answer; connections are dealt in turn, so few more than workers do. */
async function pids(endpoint) {
  const seen = new Set();
  for (let i = 0; i < 6; i += 1) seen.add(await processAnswering(endpoint));
  return seen;
}

function alive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('as many as asked for; otherwise one a processor, never below two', () => {
  assert.equal(workerCount(3), 3);
  assert.equal(workerCount(1), 1);
  assert.equal(workerCount(0), Math.max(2, availableParallelism()));
});

test('several processes are one server', { timeout: 30_000 }, async (t) => {
  const worker = cluster(t, { script: 'chatters' });
  const ready = await worker.until('ready');
  assert.deepEqual(ready.facts, { script: 'chatters', workers: 2 });
  const serving = await pids(ready.endpoint);
  assert.equal(serving.size, 2);
  assert.ok(!serving.has(worker.process.pid), 'the primary serves nobody');

  const { heap_bytes } = await worker.until('runtime');
  assert.ok(heap_bytes > 8e6, `three heaps of some 4 MB each: ${heap_bytes}`);
  worker.stop();
  const done = await worker.until('done');
  assert.equal(done.checksum, '00000000');
  assert.equal(await worker.ended, 0);
  assert.deepEqual([...serving].filter(alive), []);
  assert.match(worker.stderr, /a library that prints/);
});

test('workers end with a primary that was killed', { timeout: 30_000 }, async (t) => {
  const worker = cluster(t);
  const { endpoint } = await worker.until('ready');
  const serving = await pids(endpoint);
  worker.process.kill('SIGKILL');
  await until(() => [...serving].every((pid) => !alive(pid)));
  assert.equal(await processAnswering(endpoint), undefined);
});

test('a worker that ended is said and replaced', { timeout: 30_000 }, async (t) => {
  const worker = cluster(t);
  const { endpoint } = await worker.until('ready');
  const [lost] = await pids(endpoint);
  process.kill(lost, 'SIGKILL');
  const error = await worker.until('error');
  assert.equal(error.scope, 'call');
  assert.equal(error.message, `worker ${lost} ended: SIGKILL; replaced`);
  await until(async () => (await pids(endpoint)).size === 2);
  worker.stop();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
});

test('what a worker cannot do is fatal', { timeout: 30_000 }, async (t) => {
  const worker = cluster(t, { script: 'refuses' });
  const error = await worker.until('error');
  assert.equal(error.scope, 'fatal');
  assert.equal(error.message, 'Error: no room');
  assert.equal(await worker.ended, 1);
});

test('workers that do not close are ended', { timeout: 30_000 }, async (t) => {
  const worker = cluster(t, { script: 'closesNever' });
  const { endpoint } = await worker.until('ready');
  const serving = await pids(endpoint);
  worker.process.stdin.end();
  await worker.until('done');
  assert.equal(await worker.ended, 0);
  assert.deepEqual([...serving].filter(alive), []);
});
