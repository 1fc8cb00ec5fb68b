/** The life of a worker of the codec suite: ready, start, answers and loops by step, done. */

import { appendFileSync, writeFileSync } from 'node:fs';

import { AllocationMeter } from './allocations.js';
import { Answers, described } from './answers.js';
import { Timing } from './batches.js';
import { read, reject, truncate } from './conformance.js';
import {
  CONTRACT,
  createFiles,
  EventStream,
  keepStandardOutput,
  monotonicNs,
  RuntimeProbe,
  SpecError,
  usableSpec,
} from './contract.js';
import { loopOf, operationsOf } from './operations.js';
import { Orders } from './orders.js';
import { preflight } from './preflight.js';
import { pool } from './shapes.js';

const SECOND_MS = 1000;

/**
 * Be a worker of the suite, then end the process. Call it once, as the last thing.
 *
 * Exit codes: 0 after `done`; 1 when a codec cannot be made or the harness failed; 2 when the
 * spec cannot be used.
 * @param {object} contender
 * @param {{ name: string, version: string }} contender.library
 * @param {string | ((spec: object) => string)} contender.format
 * @param {(shape: string, spec: object) => (
 *   import('./operations.js').Codec | import('./operations.js').Baseline)} contender.open
 */
export async function serveCodec({ library, format, open }) {
  keepStandardOutput();
  const spec = usableSpec();
  const events = new EventStream();
  try {
    const worker = new Worker(spec, events, { format, open });
    await worker.attend(library);
  } catch (why) {
    console.error(why);
    events.error(why, 'fatal');
    process.exit(1);
  }
  // A timer that a library keeps must not delay the end.
  process.exit(0);
}

class Worker {
  constructor(spec, events, { format, open }) {
    if (!spec.batches || !spec.paths.batches) throw new SpecError('batches: not in the spec');
    this.spec = spec;
    this.events = events;
    this.format = typeof format === 'function' ? format(spec) : format;
    this.codecs = new Map(spec.batches.steps.map((step) => [step, open(step, spec)]));
    this.operations = operationsOf([...this.codecs.values()][0]);
    this.probe = new RuntimeProbe();
    this.meter = new AllocationMeter(this.probe);
    this.orders = new Orders(process.stdin);
    createFiles(spec.paths);
    writeFileSync(spec.paths.batches, '');
    this.answers = new Answers(spec.paths.answers);
    this.batches = 0;
  }

  async attend(library) {
    this.events.emit('ready', {
      contract: CONTRACT,
      monotonic_ns: monotonicNs(),
      library,
      runtime: { name: 'Node.js', version: process.versions.node },
      facts: { format: this.format, strings: 'utf-16', operations: this.operations },
    });
    // Where instructions are counted nothing may depend on time.
    const reporting = this.spec.batches.counted
      ? undefined
      : setInterval(() => this.#report(), SECOND_MS);
    await this.orders.started;
    for (const step of this.codecs.keys()) {
      if (!this.orders.isStopped) await this.#work(step);
    }
    clearInterval(reporting);
    const checksum = this.answers.close();
    this.#report();
    const { written: answers } = this.answers;
    this.events.emit('done', { records: 0, answers, batches: this.batches, checksum });
  }

  async #work(step) {
    const codec = this.codecs.get(step);
    const natives = pool(step);
    const work = [() => this.#answer(step, codec, natives), () => this.#timeAll(step, codec, natives)];
    // With rounds that are given the first one of all is to be a cold one.
    if (this.spec.batches.rounds > 0) work.reverse();
    for (const part of work) await part();
  }

  async #answer(step, codec, natives) {
    const write = (answer) => this.answers.write(answer);
    if ('encode' in codec) {
      preflight(step, codec, natives, write);
      await this.#examine({ step, codec, natives, format: this.format, write });
    }
    this.answers.flush();
  }

  async #timeAll(step, codec, natives) {
    for (const operation of this.#timed()) {
      if (!this.orders.isStopped) await this.#time(step, operation, codec, natives);
    }
  }

  async #examine(examined) {
    if (this.#isAsked('read')) read(examined, this.spec.inputs ?? []);
    if (this.#isAsked('truncate')) truncate(examined);
    if (this.#isAsked('reject')) await reject(examined, this.meter);
  }

  #isAsked(operation) {
    return operation in this.spec.operations;
  }

  #timed() {
    if (this.spec.batches.count === 0) return [];
    return Object.entries(this.spec.operations)
      .filter(([name, { record }]) => record === 'batches' && this.operations.includes(name))
      .map(([name]) => name);
  }

  async #time(step, operation, codec, natives) {
    const names = { step, operation };
    const worker = { probe: this.probe, isStopped: () => this.orders.isStopped };
    let lines;
    try {
      const loop = await loopOf(step, operation, codec, natives);
      const timing = new Timing(names, loop, this.spec.batches, worker);
      lines = timing.lines;
      await timing.run();
      // Its passes are repeated as chance has it.
      if (!this.spec.batches.counted) await timing.countAllocations(this.meter, natives.length);
    } catch (why) {
      console.error(why);
      lines = [...(lines ?? []), { ...names, phase: 'failed', ...described(why) }];
    }
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    appendFileSync(this.spec.paths.batches, text);
    this.batches += lines.length;
  }

  /** The loop is held up by what is measured: its lag would say nothing. */
  #report() {
    this.events.emit('runtime', { ...this.probe.reading(), loop_lag_ns: undefined });
  }
}
