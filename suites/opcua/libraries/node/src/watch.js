/** An operation that ends when its caller has the values of the change at its tick. */

import { parameter } from 'wirelab-sdk';

import { Changes } from './changes.js';
import { outcomeOfChange } from './results.js';

const NS_PER_MS = 1e6;
/** Values of each tag that the server keeps for a client that is behind. */
const KEPT = 20;

/** The way in which a spec has the tags watched. */
export class Watch {
  #nodeLists;
  #subscribes;
  #intervalMs;
  #changes;
  #timer;
  /** @type {import('./changes.js').Reading[]} */
  #known = [];

  constructor(spec, nodeLists) {
    this.#nodeLists = nodeLists;
    this.#subscribes = 'notification' in spec.operations;
    this.#intervalMs = parameter(spec, 'interval_ns', 0) / NS_PER_MS;
    this.#changes = new Changes(nodeLists.watched.length);
  }

  /** @param {import('./client.js').Session} session which is watched from now on */
  async begin(session) {
    if (this.#subscribes) {
      await session.subscribe(this.#intervalMs, KEPT, this.#changes);
      return;
    }
    // What is slow must not be asked twice at a time: the timer's next turn finds it under way.
    let underWay;
    const poll = () => {
      underWay ??= this.#poll(session).finally(() => {
        underWay = undefined;
      });
    };
    this.#timer = setInterval(poll, this.#intervalMs);
    poll();
  }

  /** Polls once: what differs from what was read before is a change. */
  async #poll(session) {
    try {
      const readings = await session.poll();
      const known = this.#known;
      this.#known = readings;
      if (readings.some(({ value }, tag) => value !== known[tag]?.value)) {
        this.#changes.putAll(readings);
      }
    } catch (why) {
      // Said by whoever waits for a change.
      this.#changes.fail(why);
    }
  }

  /**
   * The values of a tick's change, every item's status looked at.
   * @param {{ phase: 'preflight' | 'measure', tick: number }} turn
   */
  async outcome({ phase, tick }) {
    const number = phase === 'preflight' ? 0 : tick + 1;
    return outcomeOfChange(this.#nodeLists, await this.#changes.number(number));
  }

  end() {
    clearInterval(this.#timer);
  }
}
