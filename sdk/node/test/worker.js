/** A worker process as the core sees it. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STOP_NS = 2e9;

/** A spec in a folder of its own, which goes when the test is over. */
export function specFile(test, changes = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wirelab-sdk-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const path = (name) => join(folder, name);
  const spec = {
    contract: 2,
    trial: '1',
    suite: 's',
    scenario: 'c',
    role: 'server',
    parameters: {},
    listen: '127.0.0.1:0',
    paths: {
      samples: path('samples'),
      answers: path('answers'),
      batches: path('batches'),
      scratch: folder,
    },
    limits: { ready_ns: 1e10, operation_ns: 1e9, stop_ns: STOP_NS },
    ...changes,
  };
  writeFileSync(path('spec.json'), JSON.stringify(spec));
  return { file: path('spec.json'), spec };
}

export class Worker {
  events = [];
  stderr = '';

  constructor(test, { program = 'scripted-server.js', args = [], ...changes } = {}) {
    const { file, spec } = specFile(test, changes);
    this.spec = spec;
    const scripted = fileURLToPath(new URL(program, import.meta.url));
    const env = { ...process.env, WIRELAB_SPEC: file };
    this.process = spawn(process.execPath, [scripted, ...args], { env });
    test.after(() => this.process.kill('SIGKILL'));
    this.process.stderr.on('data', (text) => (this.stderr += text));
    this.process.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => this.process.on('close', resolve));
  }

  /** Start to read events; until then they stay in the pipe. */
  read() {
    this.lines ??= createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    return this;
  }

  /** The next event of a kind; fails when the worker ends before. */
  async until(kind) {
    this.read();
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`no ${kind}: ${JSON.stringify(this.events)} ${this.stderr}`);
      const event = JSON.parse(value);
      this.events.push(event);
      if (event.event === kind) return event;
    }
  }

  say(line) {
    this.process.stdin.write(`${line}\n`);
  }

  stop() {
    this.say('{"command": "stop"}');
  }

  file(name) {
    return readFileSync(this.spec.paths[name]);
  }
}

/** The process that answers on the server's port; undefined when nobody does. */
export function processAnswering(endpoint) {
  return new Promise((resolve) => {
    const socket = createConnection(Number(new URL(endpoint).port), '127.0.0.1');
    let said = '';
    socket.on('connect', () => socket.write('?'));
    socket.on('data', (data) => (said += data));
    socket.on('close', () => resolve(said ? Number(said) : undefined));
    socket.on('error', () => resolve(undefined));
  });
}
