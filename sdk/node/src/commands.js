/** Commands of the contract on standard input, one JSON object a line. */

import { createInterface } from 'node:readline';

/** Commands of the core: when to start, which answers it wants, and that this worker is to stop. */
export class Commands {
  isStopped = false;
  /**
   * Tick 0 on CLOCK_MONOTONIC, ns: a BigInt where no double holds it, 104 days after boot;
   * undefined when this worker is stopped before.
   * @type {Promise<number | bigint | undefined>}
   */
  started;
  /** Resolves when the core says `stop`, or its end of the pipe is closed. @type {Promise<void>} */
  stopped;
  /** @type {(asking: import('./asked.js').Asking) => void} told of answers that are asked for */
  #hearAsking;
  #tellStarted;
  #tellStopped;

  /**
   * @param {import('node:stream').Readable} input
   * @param {(asking: import('./asked.js').Asking) => void} hearAsking
   * @param {(text: string) => void} complain told of lines that are no command
   */
  constructor(input, hearAsking = () => {}, complain = console.error) {
    this.#hearAsking = hearAsking;
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
    const command = commandOf(line);
    if (command?.command === 'stop') this.#stop();
    else if (command?.command === 'start') this.#tellStarted(startOf(line, command));
    else if (command?.command === 'answer') this.#hearAsking(command);
    else complain(`wirelab-sdk: not a command: ${line.slice(0, 200)}`);
  }

  #stop() {
    this.isStopped = true;
    this.#tellStarted(undefined);
    this.#tellStopped();
  }
}

function startOf(line, { monotonic_ns }) {
  if (Number.isSafeInteger(monotonic_ns)) return monotonic_ns;
  // JSON.parse rounds a number, and leaves a text as it is.
  const texts = JSON.parse(line.replace(/:\s*(\d{16,})\s*(?=[,}])/g, ':"$1"'));
  return BigInt(texts.monotonic_ns);
}

function commandOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
