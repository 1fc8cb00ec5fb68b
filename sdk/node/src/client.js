/** The life of a client worker: spec, connect, preflight, ready, the schedule, done. */

import { setTimeout as sleep } from 'node:timers/promises';

import { Answers } from './answers.js';
import { Asked } from './asked.js';
import { Commands } from './commands.js';
import { EventStream, keepStandardOutput, monotonicNs } from './events.js';
import { Lanes } from './lanes.js';
import { Recorder } from './recorder.js';
import { RuntimeProbe } from './runtime.js';
import { closing, usableSpec } from './server.js';
import { Ticks } from './ticks.js';
import { Waiting } from './waiting.js';

const NS_PER_MS = 1e6;
const SECOND_MS = 1000;

/**
 * Be a client, then end the process. Call it once, as the last thing. One that gives the `actions` of
 * a tick is on the core's ticks, any other has lanes.
 *
 * Exit codes: 0 after `done`; 1 when connecting, the preflight or the worker failed; 2 when the
 * spec cannot be used.
 * @typedef {import('./lanes.js').Work & { open: () => Promise<unknown>, close: () => unknown }} LaneWork
 *   `open` is called before `ready`, unless connecting is timed: then it is for `call` to connect
 * @typedef {import('./ticks.js').PacedWork} PacedWork
 * @param {{ name: string, version: string }} library
 * @param {(spec: import('./spec.js').Spec) => LaneWork | PacedWork | Promise<LaneWork | PacedWork>} make
 *   may load a library that prints when it is loaded
 */
export async function drive(library, make) {
  keepStandardOutput();
  const spec = usableSpec();
  const events = new EventStream();
  process.on('uncaughtException', (why) => giveUp(events, why));
  try {
    await new ClientWorker(/** @type {any} */ (spec), events).play(library, make);
  } catch (why) {
    giveUp(events, why);
  }
  // Timers and sockets that a library keeps must not delay the end.
  process.exit(0);
}

/** A client of any schedule: its spec, events, files and commands. */
export class ClientWorker {
  #limitMs;

  /**
   * @param {any} spec
   * @param {EventStream} events
   */
  constructor(spec, events) {
    this.spec = spec;
    this.#limitMs = spec.limits.operation_ns / NS_PER_MS;
    this.events = events;
    this.recorder = new Recorder(spec.paths.samples);
    this.answers = new Answers(spec.paths.answers);
    this.asked = new Asked(this.answers, this.recorder);
    this.commands = new Commands(process.stdin, (asking) => this.asked.hear(asking));
    this.waiting = new Waiting(this.commands);
    this.probe = new RuntimeProbe();
  }

  get isStopped() {
    return this.commands.isStopped;
  }

  /**
   * Result of a call, within the limit of an operation.
   * @template T
   * @param {Promise<T>} call
   * @param {number} leftMs until the end of what the call is part of
   */
  within(call, leftMs = Infinity) {
    return this.waiting.within(Math.min(this.#limitMs, leftMs), call);
  }

  async play(library, make) {
    const work = await make(this.spec);
    const schedule = 'actions' in work ? new Ticks(this, work) : new Lanes(this, work);
    if (this.spec.parameters.connect !== 'timed') await work.open();
    await schedule.preflight();
    this.events.emit('ready', {
      contract: this.spec.contract,
      monotonic_ns: monotonicNs(),
      library,
      runtime: { name: 'Node.js', version: process.versions.node },
      capabilities: work.capabilities ?? ['lanes'],
    });
    const startNs = await this.commands.started;
    if (startNs !== undefined) {
      const reporting = setInterval(() => this.#report(), SECOND_MS);
      await schedule.run(startNs);
      clearInterval(reporting);
    }
    await this.#close(work);
    await this.#finish();
  }

  async #close(work) {
    // Unlike that of a server this wait may be all that keeps the process.
    const late = sleep(this.spec.limits.stop_ns / NS_PER_MS / 4, 'late');
    if ((await Promise.race([closing(work), late])) === 'late') {
      console.error('wirelab-sdk: still closing at a quarter of the limit: left as it is');
    }
  }

  async #finish() {
    await this.recorder.close();
    const checksum = this.answers.close();
    const { written: answers } = this.answers;
    this.events.emit('runtime', this.probe.report());
    this.events.emit('done', { records: this.recorder.count, answers, checksum });
  }

  #report() {
    this.events.emit('runtime', this.probe.report());
    this.events.emit('progress', { records: this.recorder.count });
  }
}

function giveUp(events, why) {
  console.error(why);
  events.error(why, 'fatal');
  process.exit(1);
}
