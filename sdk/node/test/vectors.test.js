/** The vectors of the worker contract, which every SDK is tested against. */

import assert from 'node:assert/strict';
import { openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';

import { Answers } from '../src/answers.js';
import { Asked } from '../src/asked.js';
import { EventStream } from '../src/events.js';
import { Commands } from '../src/commands.js';
import { Recorder } from '../src/recorder.js';
import { dueTurns, intendedAt, joinsOf, lastIntended, refuseTooLong, stepsOf } from '../src/schedule.js';
import { specFile } from './worker.js';

const LARGEST = 2n ** 63n - 1n;

/** Whole numbers that no double holds become a BigInt; quotes within texts have a backslash. */
function read(name) {
  const text = readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8');
  const quoted = text.replace(/(?<!\\)(": |\[|, )(\d{16,})(?=[,\]}])/g, '$1"$2n"');
  return JSON.parse(quoted, (_, value) => (/^\d{16,}n$/.test(value) ? exact(value) : value));
}

function exact(text) {
  const number = BigInt(text.slice(0, -1));
  return number > Number.MAX_SAFE_INTEGER ? number : Number(number);
}

/** A schedule as the spec has it, in the numbers of JavaScript. */
function rounded(schedule) {
  return JSON.parse(JSON.stringify(schedule, (_, v) => (typeof v === 'bigint' ? Number(v) : v)));
}

test('lanes are due when the contract says, in schedules of less than 104 days', () => {
  const refused = [];
  let lanes = 0;
  let users = 0;
  const { timed } = read('schedule.json');
  for (const { name, end_ns, lanes: expected, joins, ...of } of timed) {
    const schedule = rounded(of.schedule);
    if (typeof end_ns === 'bigint') {
      assert.throws(() => refuseTooLong(schedule), { name: 'SpecError', message: /104 days/ });
      refused.push(name);
      continue;
    }
    refuseTooLong(schedule);
    assert.equal(lastIntended(schedule), end_ns);
    const steps = stepsOf({ schedule, parameters: {} });
    for (const { lane, due } of expected) {
      const turns = [...dueTurns(schedule, steps, lane)];
      assert.deepEqual(turns.map(({ tick, afterNs }) => [tick, afterNs]), due, `${name}, ${lane}`);
      for (const { afterNs } of turns) {
        const last = LARGEST - BigInt(end_ns);
        assert.equal(intendedAt(last, afterNs), last + BigInt(afterNs));
        assert.equal(intendedAt(1, afterNs), 1 + afterNs);
      }
      lanes += 1;
    }
    const known = joinsOf(schedule, steps);
    for (const [user, afterNs] of joins) {
      assert.equal(known[user].afterNs, afterNs, `${name}, user ${user}`);
      users += 1;
    }
  }
  assert.deepEqual(refused, [
    'a run of 228 years',
    'the last tick ends with the last nanosecond of 63 bits',
  ]);
  assert.deepEqual([timed.length, lanes, users], [9, 24, 35]);
});

test('a closed loop may have any number of ticks: they have no times', () => {
  const { closed } = read('schedule.json');
  for (const { schedule } of closed) refuseTooLong(rounded(schedule));
  assert.equal(closed.length, 2);
});

test('the sample file, byte for byte', async (t) => {
  const { header, records } = read('samples.json');
  const path = join(dirname(specFile(t).file), 'samples');
  const recorder = new Recorder(path);
  for (const { intended_ns, start_ns, end_ns, op, ...rest } of records) {
    recorder.record({ intended: intended_ns, start: start_ns, end: end_ns, code: op, ...rest });
  }
  await recorder.close();
  assert.equal(recorder.count, 7);
  const expected = header + records.map(({ bytes }) => bytes).join('');
  assert.equal(readFileSync(path).toString('hex'), expected);
});

test('what is published is in the file, in its order', async (t) => {
  const path = join(dirname(specFile(t).file), 'samples');
  const recorder = new Recorder(path);
  const record = (start) =>
    recorder.record({ intended: start, start, end: start, size: 0, code: 1, status: 0, lane: 0 });
  record(1);
  assert.equal(recorder.publish(), 1);
  assert.equal(readFileSync(path).length, 2 * 32);
  for (let start = 2; start <= 4097; start += 1) record(start);
  assert.equal(recorder.publish(), undefined);
  record(4098);
  await recorder.close();
  const file = readFileSync(path);
  const starts = [];
  for (let at = 32; at < file.length; at += 32) starts.push(Number(file.readBigUInt64LE(at + 8)));
  assert.deepEqual(
    starts,
    Array.from({ length: 4098 }, (_, place) => place + 1),
  );
});

test('events say what they are told', (t) => {
  const path = join(dirname(specFile(t).file), 'events');
  const events = new EventStream(openSync(path, 'w'));
  const { events: said } = read('events.json');
  for (const { event, ...fields } of said) {
    if (event === 'error') {
      const { class: name, status, message, scope, ...of } = fields;
      events.error(Object.assign(new Error(message), { name, code: status }), scope, of);
    } else {
      events.emit(event, fields);
    }
  }
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual([said.length, lines.length], [10, 10]);
  lines.forEach((line, number) => {
    const found = JSON.parse(line);
    for (const [key, value] of Object.entries(said[number])) {
      if (typeof value === 'bigint') assert.ok(line.includes(`"${key}":${value}`), line);
      else assert.deepEqual(found[key], value, key);
    }
  });
});

test('commands mean what the contract says', async () => {
  const { commands } = read('events.json');
  for (const { line, start_ns } of commands) {
    const input = new PassThrough();
    const heard = new Commands(input, assert.fail, assert.fail);
    input.write(`${line}\n`);
    assert.equal(await heard.started, start_ns ?? undefined, line);
    assert.equal(heard.isStopped, start_ns === null);
    input.end();
  }
  assert.equal(commands.length, 10);
});

test('answers are given as they are asked for', (t) => {
  // Whole numbers as doubles: that is what this SDK says them in.
  const { cases } = JSON.parse(
    readFileSync(new URL('../../vectors/asked.json', import.meta.url), 'utf8'),
  );
  const folder = dirname(specFile(t).file);
  let given = 0;
  for (const [number, { name, does, lines }] of cases.entries()) {
    const path = join(folder, `answers-${number}`);
    const answers = new Answers(path);
    const asked = new Asked(answers);
    for (const one of does) {
      if (one.does === 'begin') asked.begin(one.lane);
      else if (one.does === 'ask') asked.hear(one);
      else asked.end(one.lane, one.results.map((ended) => resultOf(one.tick, ended)));
    }
    answers.close();
    const found = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    for (const line of found) {
      given += line.pause ? 1 : 0;
      delete line.pause;
    }
    assert.deepEqual(found, lines, name);
  }
  assert.equal(given, 10);
});

function resultOf(tick, { operation, start_ns: startNs, end_ns: endNs, answer }) {
  return [operation, { tick, startNs, endNs, answer: answer === null ? undefined : () => answer }];
}
