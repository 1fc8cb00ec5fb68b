/** What the core says to a client on standard input: when to start, and that it is to stop. */

import { createInterface } from 'node:readline';

export class Orders {
  isStopped = false;
  /** Tick 0 on CLOCK_MONOTONIC, ns; undefined when this worker is stopped before. */
  started;
  stopped;
  #tellStarted;
  #tellStopped;

  /**
   * @param {import('node:stream').Readable} input
   * @param {(text: string) => void} complain told of lines that are no command
   */
  constructor(input, complain = console.error) {
    this.started = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
    this.stopped = new Promise((resolve) => {
      this.#tellStopped = resolve;
    });
    const lines = createInterface({ input, terminal: false });
    lines.on('line', (line) => this.#hear(line, complain));
    lines.on('close', () => this.#stop());
    input.on('error', () => this.#stop());
  }

  #hear(line, complain) {
    const order = orderOf(line);
    if (order?.command === 'stop') this.#stop();
    else if (order?.command === 'start') this.#tellStarted(order.monotonic_ns);
    else complain(`wirelab-sdk: not a command: ${line.slice(0, 200)}`);
  }

  #stop() {
    this.isStopped = true;
    this.#tellStarted(undefined);
    this.#tellStopped();
  }
}

function orderOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
