import assert from 'node:assert/strict';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Commands } from '../src/commands.js';
import { EventStream } from '../src/events.js';
import { RuntimeProbe, combined } from '../src/runtime.js';
import { listenAddress, parameter, SpecError, specOf } from '../src/spec.js';
import { installedVersion } from '../src/versions.js';
import { specFile } from './worker.js';

// ---------------------------------------------------------------------------- spec

test('the spec is read with what it may leave out', (t) => {
  const { file } = specFile(t, { listen: undefined, endpoints: undefined });
  const spec = specOf({ WIRELAB_SPEC: file });
  assert.equal(spec.role, 'server');
  assert.deepEqual(listenAddress(spec), { host: '127.0.0.1', port: 0 });
  assert.deepEqual(spec.endpoints, {});
});

for (const [changes, words] of [
  [{ contract: 1 }, /no spec of worker contract 2/],
  [{ role: 7 }, /role: expected string, found 7/],
  [{ parameters: null }, /parameters: expected object, found null/],
  [{ limits: { ready_ns: 1, operation_ns: 1 } }, /limits.stop_ns: expected number/],
]) {
  test(`a spec that breaks the contract is refused: ${words}`, (t) => {
    const { file } = specFile(t, changes);
    assert.throws(() => specOf({ WIRELAB_SPEC: file }), { name: 'SpecError', message: words });
  });
}

test('without a spec it is said who starts this program', (t) => {
  assert.throws(() => specOf({}), /WIRELAB_SPEC is not set/);
  const { file } = specFile(t);
  assert.throws(() => specOf({ WIRELAB_SPEC: `${file}.gone` }), /cannot read the spec/);
  writeFileSync(file, '{');
  assert.throws(() => specOf({ WIRELAB_SPEC: file }), /cannot read the spec/);
});

test('parameters have the type of their default', () => {
  const spec = { parameters: { workers: 3, name: 'x' } };
  assert.equal(parameter(spec, 'workers', 0), 3);
  assert.equal(parameter(spec, 'toString', 'absent'), 'absent');
  assert.throws(() => parameter(spec, 'name', 1), SpecError);
});

test('an address to listen on has a port', () => {
  assert.deepEqual(listenAddress({ listen: '::1:80' }), { host: '::1', port: 80 });
  assert.throws(() => listenAddress({ listen: 'localhost' }), SpecError);
});

// -------------------------------------------------------------------------- events

function recorded(t, say) {
  const path = join(dirname(specFile(t).file), 'events');
  say(new EventStream(openSync(path, 'w')));
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

test('an event is one line without what is undefined', (t) => {
  const lines = recorded(t, (events) => events.emit('ready', { a: 'x\ny', b: undefined, c: null }));
  assert.deepEqual(lines, ['{"event":"ready","a":"x\\ny","c":null}']);
});

test('errors keep the words of the library, up to a hundred of a class', (t) => {
  const lines = recorded(t, (events) => {
    for (let i = 0; i < 150; i += 1) {
      events.error(Object.assign(new RangeError(`no ${i}`), { code: 42 }));
      events.error('thrown as text');
    }
    events.error(new AggregateError([new Error('refused')]), 'fatal');
  }).map((line) => JSON.parse(line));
  const of = (name) => lines.filter((line) => line.class === name);
  assert.equal(of('RangeError').length, 100);
  assert.equal(of('string').length, 100);
  const { message, status, scope } = of('RangeError')[99];
  assert.deepEqual([message, status, scope], ['no 99', '42', 'call']);
  assert.deepEqual(of('AggregateError').map((e) => [e.scope, e.message]), [
    ['fatal', 'Error: refused'],
  ]);
});

test('a line stays below what the contract allows', (t) => {
  const [line] = recorded(t, (events) => events.error(new Error('\u0001'.repeat(100_000))));
  assert.ok(line.length < 65_536);
  assert.equal(JSON.parse(line).message.length, 5000);
});

// ------------------------------------------------------------------------ commands

test('only stop and the end of input stop', async () => {
  const input = new PassThrough();
  const complaints = [];
  const commands = new Commands(input, assert.fail, (text) => complaints.push(text));
  input.write('{"command":"start","monotonic_ns":5}\n"stop"\n{"comm');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(commands.isStopped, false);
  assert.deepEqual(complaints, ['wirelab-sdk: not a command: "stop"']);
  input.write('and":"stop"}\n');
  await commands.stopped;
  const closing = new PassThrough();
  const closed = new Commands(closing, assert.fail, assert.fail);
  closing.end();
  await closed.stopped;
});

// ------------------------------------------------------------------------- runtime

test('collections and their pauses are counted', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const probe = new RuntimeProbe();
  const before = probe.reading();
  for (let i = 0; i < 3; i += 1) collect();
  // V8 hands its records over when the loop turns.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const after = probe.reading();
  probe.close();
  assert.ok(after.gc_count >= before.gc_count + 3);
  assert.ok(after.gc_pause_ns > before.gc_pause_ns);
  assert.ok(after.heap_bytes > 1e6);
});

test('each collection is told once, by the clock of the contract', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const probe = new RuntimeProbe();
  const held = Array.from({ length: 300_000 }, (_, i) => ({ i }));
  probe.spans();
  collect();
  assert.equal(held.length, 300_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { collections, untold, gc_count } = probe.report();
  probe.close();
  assert.ok(collections.length >= 1 && collections.length <= gc_count);
  assert.equal(untold, 0);
  for (const [begin, end, took] of collections) {
    assert.equal(end - begin, took);
    assert.ok(took >= 1e5);
  }
  assert.deepEqual(probe.spans().collections, []);
});

test('a loop that is held up shows as lag, once', async () => {
  const probe = new RuntimeProbe();
  const until = performance.now() + 300;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { loop_lag_ns } = probe.reading();
  assert.ok(loop_lag_ns >= 280e6, `at least what it was held up: ${loop_lag_ns}`);
  assert.equal(probe.reading().loop_lag_ns, 0);
  probe.close();
});

test('readings of several processes add up, the worst lag counts', () => {
  const reading = { monotonic_ns: 9, heap_kind: 'k' };
  const one = { ...reading, heap_bytes: 1, gc_count: 2, gc_pause_ns: 3, loop_lag_ns: 9 };
  const two = { ...one, monotonic_ns: 1, heap_bytes: 10, gc_count: 20, loop_lag_ns: 4 };
  assert.deepEqual(combined([one, two]), {
    ...reading,
    heap_bytes: 11,
    gc_count: 22,
    gc_pause_ns: 6,
    loop_lag_ns: 9,
  });
});

// ------------------------------------------------------------------------ versions

test('the version is that of the package beside the SDK', (t) => {
  const neighbours = dirname(specFile(t).file);
  mkdirSync(join(neighbours, '@scope', 'library'), { recursive: true });
  writeFileSync(join(neighbours, '@scope', 'library', 'package.json'), '{"version": "1.5.0"}');
  const there = pathToFileURL(`${neighbours}/`);
  const found = installedVersion('@scope/library', there);
  assert.deepEqual(found, { name: '@scope/library', version: '1.5.0' });
  assert.throws(() => installedVersion('absent', there), { code: 'ENOENT' });
});
