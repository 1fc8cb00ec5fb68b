/** What the core says on standard input: when to start, and that it is to stop. */

import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { monotonicNs } from './contract.js';

const NS_PER_MS = 1e6;

export class Orders {
  isStopped = false;
  #tellStarted;
  /** Ends at tick 0, or when the core has stopped this worker before. @type {Promise<void>} */
  started = new Promise((resolve) => {
    this.#tellStarted = resolve;
  });

  /** @param {import('node:stream').Readable} input */
  constructor(input) {
    const lines = createInterface({ input, terminal: false });
    lines.on('line', (line) => this.#hear(line));
    lines.on('close', () => this.#stop());
    input.on('error', () => this.#stop());
  }

  #hear(line) {
    const order = orderOf(line);
    if (order?.command === 'stop') this.#stop();
    else if (order?.command === 'start') this.#start(order.monotonic_ns);
    else console.error(`wirelab-codec: not a command: ${line.slice(0, 200)}`);
  }

  #stop() {
    this.isStopped = true;
    this.#tellStarted();
  }

  async #start(tickZero) {
    await sleep(Math.max(0, (tickZero - monotonicNs()) / NS_PER_MS));
    this.#tellStarted();
  }
}

function orderOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
