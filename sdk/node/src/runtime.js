/** Figures that only V8 and the event loop can tell: heap, collections and their pauses, lag. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

import { monotonicNs } from './events.js';

const NS_PER_MS = 1e6;
/** The loop is looked at this often: 50 timers a second cost nothing that could be measured. */
const LOOK_EVERY_MS = 20;

export const HEAP_KIND = 'V8 heap in use';

/**
 * @typedef {object} Reading the fields of a `runtime` event
 * @property {number} monotonic_ns
 * @property {number} heap_bytes
 * @property {string} heap_kind
 * @property {number} gc_count since the start
 * @property {number} gc_pause_ns since the start
 * @property {number} loop_lag_ns the worst since the last reading
 */

/**
 * Counts from construction on.
 *
 * The lag is taken by a timer and not by `monitorEventLoopDelay`: its `reset` forgets when it last
 * looked, so what holds the loop up right after a reading would be seen by nobody.
 */
export class RuntimeProbe {
  #collections = 0;
  #pauseMs = 0;
  #lagMs = 0;
  #lookedMs = performance.now();
  #looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  #observer = new PerformanceObserver((list) => this.#count(list.getEntries()));

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** @returns {Reading} */
  reading() {
    this.#count(this.#observer.takeRecords());
    const lagMs = this.#lagMs;
    this.#lagMs = 0;
    return {
      monotonic_ns: monotonicNs(),
      heap_bytes: getHeapStatistics().used_heap_size,
      heap_kind: HEAP_KIND,
      gc_count: this.#collections,
      gc_pause_ns: Math.round(this.#pauseMs * NS_PER_MS),
      loop_lag_ns: Math.round(lagMs * NS_PER_MS),
    };
  }

  /** Stop counting. */
  close() {
    this.#observer.disconnect();
    clearInterval(this.#looking);
  }

  #look() {
    const now = performance.now();
    this.#lagMs = Math.max(this.#lagMs, now - this.#lookedMs - LOOK_EVERY_MS);
    this.#lookedMs = now;
  }

  #count(entries) {
    for (const entry of entries) {
      this.#collections += 1;
      this.#pauseMs += entry.duration;
    }
  }
}

/**
 * One reading of several processes: heaps and pauses add up, the lag is the worst.
 * @param {Reading[]} readings at least one; the first says when
 * @returns {Reading}
 */
export function combined(readings) {
  const sum = (/** @type {(reading: Reading) => number} */ of) =>
    readings.reduce((total, reading) => total + of(reading), 0);
  return {
    ...readings[0],
    heap_bytes: sum((reading) => reading.heap_bytes),
    gc_count: sum((reading) => reading.gc_count),
    gc_pause_ns: sum((reading) => reading.gc_pause_ns),
    loop_lag_ns: Math.max(...readings.map((reading) => reading.loop_lag_ns)),
  };
}
