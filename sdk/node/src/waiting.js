/** Waiting for calls and times, which a stop ends. */

import { monotonicNs } from './events.js';

const NS_PER_MS = 1e6;
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** A call that had no end in time, or when the core said stop. */
export class GivenUp extends Error {
  name = 'GivenUp';
}

export class Waiting {
  #commands;
  /** Callbacks of those that wait for a call or a time, to be let go by a stop. */
  #waiting = new Set();

  /** @param {import('./commands.js').Commands} commands */
  constructor(commands) {
    this.#commands = commands;
    commands.stopped.then(() => this.#letGo());
  }

  /**
   * Result of a call, unless it takes longer than its limit or the core says stop.
   * @template T
   * @param {number} limitMs
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  within(limitMs, promise) {
    return new Promise((resolve, reject) => {
      const giveUp = () => ended(reject)(new GivenUp('no end in time, or told to stop'));
      const timer = setTimeout(giveUp, Math.min(limitMs, LONGEST_SLEEP_MS));
      const ended = (settle) => (value) => {
        clearTimeout(timer);
        this.#waiting.delete(giveUp);
        settle(value);
      };
      this.#waiting.add(giveUp);
      promise.then(ended(resolve), ended(reject));
      if (this.#commands.isStopped) giveUp();
    });
  }

  /**
   * Until a time on CLOCK_MONOTONIC, or a stop. Node's timers have a resolution of 1 ms.
   * @param {number} ns
   */
  async until(ns) {
    // One may also end a little before its time.
    for (let left = ns - monotonicNs(); left > 0; left = ns - monotonicNs()) {
      if (this.#commands.isStopped) return;
      await this.#sleep(Math.ceil(left / NS_PER_MS));
    }
  }

  #sleep(ms) {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(undefined);
      };
      const timer = setTimeout(wake, Math.min(ms, LONGEST_SLEEP_MS));
      this.#waiting.add(wake);
    });
  }

  #letGo() {
    for (const wake of [...this.#waiting]) wake();
  }
}
