/** Batches of rounds: calibrated, warmed up, measured, and counted for what they allocate. */

import { setImmediate as turn } from 'node:timers/promises';

import { monotonicNs } from './contract.js';

const MOST_GROWTH = 10;
/** What settles is taken to be settled by this many batches. */
const SETTLED_BY = 3;

/**
 * @typedef {object} Plan `batches` of the spec, without its steps
 * @property {number} rounds 0: calibrated
 * @property {number} batch_ns
 * @property {number} count
 * @property {number} warmup_ns
 * @property {number} agree
 */

/**
 * The batches of one operation on one shape.
 *
 * After each batch the event loop turns once: that is when V8's notices of collections arrive,
 * when the worker says how it is, and when it hears that it is to stop.
 */
export class Timing {
  /** @type {object[]} */
  lines = [];

  /**
   * @param {{ step: string, operation: string }} names
   * @param {(rounds: number) => number} loop
   * @param {Plan} plan
   * @param {{ probe: import('./contract.js').RuntimeProbe, isStopped: () => boolean }} worker
   */
  constructor(names, loop, plan, { probe, isStopped }) {
    this.names = names;
    this.loop = loop;
    this.plan = plan;
    this.probe = probe;
    this.isStopped = isStopped;
  }

  /** Calibrate and warm up, unless the plan gives the rounds; then measure. */
  async run() {
    const rounds = this.plan.rounds || (await this.#warmUp());
    for (let k = 0; k < this.plan.count && !this.isStopped(); k += 1) {
      await this.#batch('measure', rounds);
    }
  }

  /**
   * Count what some rounds allocate.
   * @param {import('./allocations.js').AllocationMeter} meter
   * @param {number} instances
   */
  async countAllocations(meter, instances) {
    const start = monotonicNs();
    const counted = await meter.count(this.loop, instances);
    if (counted) this.#write('allocation', start, monotonicNs(), counted);
  }

  /** @returns {Promise<number>} rounds that take as long as a batch is to take */
  async #warmUp() {
    const end = monotonicNs() + this.plan.warmup_ns;
    let rounds = 1;
    let took = await this.#batch('warmup', rounds);
    while (took < this.plan.batch_ns && !this.isStopped()) {
      rounds = this.#longer(rounds, took);
      took = await this.#batch('warmup', rounds);
    }
    const recent = [took / rounds];
    while (!this.#settled(recent) && monotonicNs() < end && !this.isStopped()) {
      // The code may have become faster since.
      rounds = this.#longer(rounds, took);
      took = await this.#batch('warmup', rounds);
      recent.push(took / rounds);
    }
    return this.#longer(rounds, took);
  }

  #longer(rounds, took) {
    const growth = Math.min(MOST_GROWTH, this.plan.batch_ns / Math.max(1, took));
    return growth > 1 ? Math.ceil(rounds * growth) : rounds;
  }

  #settled(perRound) {
    if (perRound.length < SETTLED_BY) return false;
    const [least, median, most] = perRound.slice(-SETTLED_BY).sort((a, b) => a - b);
    const apart = median * this.plan.agree;
    return most - median <= apart && median - least <= apart;
  }

  /** @returns {Promise<number>} what the rounds took, in ns */
  async #batch(phase, rounds) {
    const before = this.probe.reading();
    const start = monotonicNs();
    const checksum = this.loop(rounds);
    const end = monotonicNs();
    await turn();
    const after = this.probe.reading();
    this.#write(phase, start, end, {
      rounds,
      checksum,
      gc_count: after.gc_count - before.gc_count,
      gc_pause_ns: after.gc_pause_ns - before.gc_pause_ns,
    });
    return end - start;
  }

  #write(phase, start, end, counted) {
    this.lines.push({ ...this.names, phase, start_ns: start, end_ns: end, ...counted });
  }
}
