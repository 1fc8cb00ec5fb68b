/**
 * Counting allocated bytes: how much V8's heap and its array buffers have grown.
 *
 * That is exact while nothing is collected, which is known afterwards. So it is done in short
 * passes, with the young generation emptied before each (`node --expose-gc`; without it nothing
 * is counted).
 */

import { setImmediate as turn } from 'node:timers/promises';

/** V8's young generation may be as small as 1 MiB; a pass must end before it is full. */
const PASS_BYTES = 256 * 1024;
const MOST_CYCLES = 512;
/** Together so much that a slab more or less is little: small buffers are cut from slabs. */
const PASSES = 24;
const MOST_TRIES = 60;

/** @typedef {{ rounds: number, checksum: number, allocated_bytes: number }} Allocations */

export class AllocationMeter {
  #probe;

  /** @param {import('./runtime.js').RuntimeProbe} probe */
  constructor(probe) {
    this.#probe = probe;
  }

  /**
   * Counts what iterations of a loop allocate.
   * @param {(iterations: number) => number} loop
   * @param {number} instances the fewest iterations
   * @returns {Promise<Allocations | undefined>} undefined where there was nearly always a collection
   */
  async count(loop, instances) {
    if (!globalThis.gc) return undefined;
    const first = await this.over(() => loop(instances));
    const fitting = Math.floor(PASS_BYTES / Math.max(1, first.bytes ?? PASS_BYTES));
    let iterations = instances * Math.min(MOST_CYCLES, Math.max(1, fitting));
    let found = { rounds: 0, checksum: 0, allocated_bytes: 0 };
    for (let k = 0; k < MOST_TRIES && found.rounds < PASSES * iterations; k += 1) {
      // Reading the heap allocates as well: as much as around no iterations at all.
      const own = await this.over(() => loop(0));
      const pass = await this.over(() => loop(iterations));
      if (own.bytes === undefined || pass.bytes === undefined) {
        // What is in a new slab by chance is not seen at first.
        iterations = Math.max(instances, instances * Math.floor(iterations / 2 / instances));
        found = { rounds: 0, checksum: 0, allocated_bytes: 0 };
        continue;
      }
      found.rounds += iterations;
      found.checksum = (found.checksum + pass.result) >>> 0;
      found.allocated_bytes += pass.bytes - own.bytes;
    }
    found.allocated_bytes = Math.max(0, found.allocated_bytes);
    return found.rounds === PASSES * iterations ? found : undefined;
  }

  /**
   * Call something, and tell what it allocated; some hundred bytes of it are the reading's own.
   * @template Result
   * @param {() => Result} call
   * @returns {Promise<{ result: Result, bytes?: number }>} no bytes when something was collected
   */
  async over(call) {
    if (!globalThis.gc) return { result: call() };
    globalThis.gc({ type: 'minor' });
    await turn();
    const before = this.#probe.reading().gc_count;
    const first = process.memoryUsage();
    const result = call();
    const last = process.memoryUsage();
    await turn();
    if (this.#probe.reading().gc_count > before) return { result };
    const buffers = last.arrayBuffers - first.arrayBuffers;
    return { result, bytes: last.heapUsed - first.heapUsed + buffers };
  }
}
