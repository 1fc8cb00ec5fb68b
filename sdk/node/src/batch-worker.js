/** The life of a worker of a microbenchmark: ready, answers and loops by step, done. */

import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { AllocationMeter } from './allocations.js';
import { Answers } from './answers.js';
import { Batches } from './batches.js';
import { Commands } from './commands.js';
import { EventStream, keepStandardOutput, monotonicNs } from './events.js';
import { createFiles } from './files.js';
import { RuntimeProbe } from './runtime.js';
import { usableSpec } from './server.js';
import { SpecError } from './spec.js';

const NS_PER_MS = 1e6;
const SECOND_MS = 1000;

/**
 * @typedef {object} Repeated the work of a step
 * @property {(operation: string) => Promise<import('./batches.js').Loop | undefined>} loopOf the
 *   loop of an operation; undefined where this worker has none
 * @property {() => unknown} answer writes the answers of the step: before its loops, or after them
 *   where the plan gives the iterations, so that the first one of all is a cold one
 *
 * @typedef {object} Work what `open` gives back
 * @property {Record<string, unknown>} facts for the verifier, and for scenarios that read
 * @property {(step: string) => Repeated} at prepares a step
 */

/**
 * Be a worker of a microbenchmark, then end the process. Call it once, as the last thing.
 *
 * Exit codes: 0 after `done`; 1 when something other than a loop failed; 2 when the spec cannot
 * be used.
 * @param {{ name: string, version: string }} library
 * @param {(worker: BatchWorker) => Work} open
 */
export async function repeatBatches(library, open) {
  keepStandardOutput();
  const spec = usableSpec();
  const events = new EventStream();
  try {
    const worker = new BatchWorker(spec, events);
    await worker.perform(library, open(worker));
  } catch (why) {
    console.error(why);
    events.error(why, 'fatal');
    process.exit(1);
  }
  // A timer that a library keeps must not delay the end.
  process.exit(0);
}

export class BatchWorker {
  #events;
  #probe = new RuntimeProbe();
  #commands;
  #batches = 0;

  /**
   * @param {any} spec
   * @param {EventStream} events
   */
  constructor(spec, events) {
    if (!spec.batches || !spec.paths.batches) throw new SpecError('batches: not in the spec');
    this.spec = spec;
    this.meter = new AllocationMeter(this.#probe);
    this.#events = events;
    this.#commands = new Commands(process.stdin);
    createFiles(spec.paths);
    writeFileSync(spec.paths.batches, '');
    this.answers = new Answers(spec.paths.answers);
  }

  /**
   * @param {{ name: string, version: string }} library
   * @param {Work} work
   */
  async perform(library, { facts, at }) {
    const { spec } = this;
    this.#events.emit('ready', {
      contract: spec.contract,
      monotonic_ns: monotonicNs(),
      library,
      runtime: { name: 'Node.js', version: process.versions.node },
      facts,
    });
    // Where instructions are counted nothing may depend on time.
    const reporting = spec.batches.counted
      ? undefined
      : setInterval(() => this.#report(), SECOND_MS);
    const start = await this.#commands.started;
    if (start !== undefined) await sleep(Math.max(0, (Number(start) - monotonicNs()) / NS_PER_MS));
    for (const step of spec.batches.steps) {
      if (!this.#commands.isStopped) await this.#work(step, at(step));
    }
    clearInterval(reporting);
    const checksum = this.answers.close();
    this.#report();
    const { written: answers } = this.answers;
    this.#events.emit('done', { records: 0, answers, batches: this.#batches, checksum });
  }

  async #work(step, { loopOf, answer }) {
    const work = [answer, () => this.#repeat(step, loopOf)];
    if (this.spec.batches.rounds > 0) work.reverse();
    for (const part of work) await part();
  }

  async #repeat(step, loopOf) {
    if (this.spec.batches.count === 0) return;
    for (const [operation, { record }] of Object.entries(this.spec.operations)) {
      if (record !== 'batches' || this.#commands.isStopped) continue;
      const lines = await this.#linesOf(() => loopOf(operation));
      const text = lines.map((line) => `${JSON.stringify({ step, operation, ...line })}\n`);
      appendFileSync(this.spec.paths.batches, text.join(''));
      this.#batches += lines.length;
    }
  }

  /** The batches of an operation, or why there are none. */
  async #linesOf(make) {
    const isStopped = () => this.#commands.isStopped;
    try {
      const loop = await make();
      if (!loop) return [];
      const batches = new Batches(loop, this.spec.batches, { probe: this.#probe, isStopped });
      await batches.take();
      // Its passes are repeated as chance has it.
      const isCounted = !this.spec.batches.counted && !loop.isLarge;
      if (isCounted && !isStopped()) await batches.countAllocations(this.meter);
      return batches.lines;
    } catch (why) {
      console.error(why);
      return [{ phase: 'failed', ...described(why) }];
    }
  }

  /** The loop is held up by what is measured: its lag would say nothing. */
  #report() {
    this.#events.emit('runtime', { ...this.#probe.reading(), loop_lag_ns: undefined });
  }
}

/** @param {unknown} why whatever was thrown */
export function described(why) {
  if (!(why instanceof Error)) return { class: typeof why, message: String(why) };
  return { class: why.name, message: why.message };
}
