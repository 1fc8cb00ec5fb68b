/** Figures that only V8 and the event loop can tell: heap, collections and their pauses, lag. */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

import { monotonicNs } from './events.js';

const NS_PER_MS = 1e6;
/** The loop is looked at this often: 50 timers a second cost nothing that could be measured. */
const LOOK_EVERY_MS = 20;
/** The contract wants no more collections in an event. */
const MOST_SPANS = 500;
/** And no more in all events, which are bounded. */
const MOST_SPANS_IN_ALL = 50_000;
/** Shorter collections explain no spike. */
const SHORTEST_MS = 0.1;

export const HEAP_KIND = 'V8 heap in use';

/**
 * @typedef {object} Reading the fields of a `runtime` event
 * @property {number} monotonic_ns
 * @property {number} heap_bytes
 * @property {string} heap_kind
 * @property {number} gc_count since the start
 * @property {number} gc_pause_ns since the start
 * @property {number} loop_lag_ns the worst since the last reading
 *
 * @typedef {object} Spans the rest of its fields, by when things were
 * @property {number[][]} collections since the last time it was asked: begin, end, how long it took
 * @property {number} untold collections that were left out
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
  #spans = [];
  #told = 0;
  #untold = 0;
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

  /** @returns {Spans} */
  spans() {
    this.#count(this.#observer.takeRecords());
    const [spans, untold] = [this.#spans, this.#untold];
    [this.#spans, this.#untold] = [[], 0];
    // Entries have a clock of their own, which begins with the process.
    const zeroNs = monotonicNs() - performance.now() * NS_PER_MS;
    const told = ({ startTime, duration }) => {
      const beginNs = Math.round(zeroNs + startTime * NS_PER_MS);
      const tookNs = Math.round(duration * NS_PER_MS);
      return [beginNs, beginNs + tookNs, tookNs];
    };
    return { collections: spans.map(told), untold };
  }

  /** @returns {Reading & Spans} a reading with when collections were */
  report() {
    return { ...this.spans(), ...this.reading() };
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
      if (entry.duration < SHORTEST_MS) continue;
      if (this.#spans.length < MOST_SPANS && this.#told < MOST_SPANS_IN_ALL) {
        this.#spans.push(entry);
        this.#told += 1;
      } else {
        this.#untold += 1;
      }
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
