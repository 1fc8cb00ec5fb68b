/** Batches of iterations: calibrated, warmed up, measured, and counted for what they allocate. */

import { randomInt } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

import { monotonicNs } from './events.js';

const MOST_GROWTH = 10;
const MOST_ITERATIONS = 1e12;
/** Batches are made a little longer than asked for, so that noise does not make them shorter. */
const MARGIN = 1.05;
/** Number of batches after which what settles is taken to be settled. */
const SETTLED_BY = 3;
/** A batch is longer by this much than the most iterations before its audit. */
const AUDITED_PART = 8;

/**
 * @typedef {object} Plan `batches` of the spec, without its steps
 * @property {number} rounds iterations of a batch; 0: calibrated
 * @property {number} batch_ns
 * @property {number} count
 * @property {number} warmup_ns
 * @property {number} agree
 * @property {boolean} [counted] somebody counts the instructions: nothing may depend on time
 */

/**
 * Work that is repeated.
 * @typedef {object} Loop
 * @property {(iterations: number) => number} run does so many iterations, iteration i on input i
 *   modulo `inputs`, and gives the suite's checksum
 * @property {number} inputs
 * @property {() => number} [audit] does what the suite defines as an audit of all inputs, and
 *   leaves them as they were
 * @property {boolean} [isLarge] an iteration allocates more than can be counted without a collection
 */

/**
 * The batches of one loop.
 *
 * After each batch the event loop turns once: that is when V8's notices of collections arrive,
 * when the worker says how it is, and when it hears that it is to stop.
 */
export class Batches {
  /** Lines of the batch file, without their step and operation. @type {object[]} */
  lines = [];

  /**
   * @param {Loop} loop
   * @param {Plan} plan
   * @param {{ probe: import('./runtime.js').RuntimeProbe, isStopped: () => boolean }} worker
   * @param {() => number} now the clock, in ns
   */
  constructor(loop, plan, { probe, isStopped }, now = monotonicNs) {
    this.loop = loop;
    this.plan = plan;
    this.probe = probe;
    this.isStopped = isStopped;
    this.now = now;
  }

  /** Calibrate and warm up, unless the plan gives the iterations; then measure. */
  async take() {
    const iterations = this.plan.rounds || (await this.#readyIterations());
    for (let k = 0; k < this.plan.count && !this.isStopped(); k += 1) {
      await this.#batch('measure', iterations);
      if (this.loop.audit && !this.plan.rounds) await this.#audit(iterations);
    }
  }

  /**
   * Count what some iterations allocate.
   * @param {import('./allocations.js').AllocationMeter} meter
   */
  async countAllocations(meter) {
    const start = this.now();
    const counted = await meter.count(this.loop.run, this.loop.inputs);
    if (counted) this.#write('allocation', start, this.now(), counted);
  }

  /** @returns {Promise<number>} iterations of a batch as long as asked for, of code that is warm */
  async #readyIterations() {
    const end = this.now() + this.plan.warmup_ns;
    const iterations = await this.#calibrated();
    // What takes no time never settles either.
    return iterations < MOST_ITERATIONS ? this.#warmedUp(iterations, end) : iterations;
  }

  async #calibrated() {
    let iterations = 1;
    while (!this.isStopped()) {
      const took = await this.#batch('warmup', iterations);
      if (took >= this.plan.batch_ns || iterations === MOST_ITERATIONS) break;
      iterations = this.#longer(iterations, took);
    }
    return iterations;
  }

  async #warmedUp(calibrated, end) {
    let iterations = calibrated;
    const perIteration = [];
    while (this.now() < end && !this.isStopped() && !this.#settled(perIteration)) {
      const took = await this.#batch('warmup', iterations);
      perIteration.push(took / iterations);
      // The code became faster.
      if (took < this.plan.batch_ns) iterations = this.#longer(iterations, took);
    }
    return iterations;
  }

  /** Iterations that take as long as asked for, by some that took less; whole passes. */
  #longer(iterations, took) {
    const { inputs } = this.loop;
    const growth = Math.min(MOST_GROWTH, (MARGIN * this.plan.batch_ns) / Math.max(1, took));
    const wanted = Math.max(iterations + 1, Math.ceil(iterations * growth));
    const whole = wanted > inputs ? Math.ceil(wanted / inputs) * inputs : wanted;
    return Math.min(whole, MOST_ITERATIONS);
  }

  #settled(perIteration) {
    if (perIteration.length < SETTLED_BY) return false;
    const [least, median, most] = perIteration.slice(-SETTLED_BY).sort((a, b) => a - b);
    const apart = median * this.plan.agree;
    return most - median <= apart && median - least <= apart;
  }

  /** Audit the inputs, after as many iterations as chance wants: no call tells when it is one. */
  async #audit(iterations) {
    const start = this.now();
    this.loop.run(randomInt(Math.floor(iterations / AUDITED_PART) + 1));
    const checksum = this.loop.audit();
    const end = this.now();
    // What it collected is noticed now, and not in the batch after it.
    await turn();
    this.#write('audit', start, end, { rounds: this.loop.inputs, checksum });
  }

  /** @returns {Promise<number>} what the iterations took, in ns */
  async #batch(phase, iterations) {
    const { run } = this.loop;
    const before = this.probe.reading();
    const start = this.now();
    const checksum = run(iterations);
    const end = this.now();
    await turn();
    const after = this.probe.reading();
    this.#write(phase, start, end, {
      rounds: iterations,
      checksum,
      gc_count: after.gc_count - before.gc_count,
      gc_pause_ns: after.gc_pause_ns - before.gc_pause_ns,
    });
    return end - start;
  }

  #write(phase, start, end, counted) {
    this.lines.push({ phase, start_ns: start, end_ns: end, ...counted });
  }
}
