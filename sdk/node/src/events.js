/** Events of the contract on standard output, one JSON object a line. */

import { writeSync } from 'node:fs';

/** The contract wants no more of one class; a lost broker would fill the core's disk. */
const ERRORS_PER_CLASS = 100;
/** Half of the contract's 64 KiB a line: escaped control characters take six bytes each. */
const LONGEST_TEXT = 5000;
const STDOUT = 1;

/** Nanoseconds of CLOCK_MONOTONIC. A double holds them exactly for 104 days after boot. */
export function monotonicNs() {
  return Number(process.hrtime.bigint());
}

/** Keep standard output for events: what libraries print there goes to standard error. */
export function keepStandardOutput() {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** Writes events; each is complete on the pipe when its call returns. */
export class EventStream {
  #errors = new Map();

  /** @param {number} fd where to write */
  constructor(fd = STDOUT) {
    this.fd = fd;
  }

  /**
   * Write one event; fields that are undefined are left out.
   * @param {string} event
   * @param {object} fields a BigInt is written as the whole number that it is
   */
  emit(event, fields = {}) {
    const said = Object.entries({ event, ...fields }).filter(([, value]) => value !== undefined);
    const members = said.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`);
    write(this.fd, Buffer.from(`{${members.join()}}\n`));
  }

  /**
   * Write an `error` event, unless enough of its class have been written.
   * @param {unknown} why an Error, or whatever a library threw
   * @param {'call' | 'item' | 'fatal'} scope
   * @param {{ operation?: string, intended_ns?: number | bigint }} [fields] of a timed call
   */
  error(why, scope = 'call', fields = {}) {
    const name = why instanceof Error ? why.name : typeof why;
    const status = String(/** @type {any} */ (why)?.code ?? '');
    const key = `${scope}/${name}/${status}`;
    const count = (this.#errors.get(key) ?? 0) + 1;
    this.#errors.set(key, count);
    if (count > ERRORS_PER_CLASS) return;
    this.emit('error', {
      class: short(name),
      status: short(status),
      message: short(messageOf(why)),
      scope,
      monotonic_ns: monotonicNs(),
      ...fields,
    });
  }
}

function textOf(value) {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** An AggregateError, which Node gives for a refused connection, has no message of its own. */
function messageOf(why) {
  if (!(why instanceof Error)) return String(why);
  return why.message || (why instanceof AggregateError ? why.errors.map(String).join('; ') : '');
}

function short(text) {
  return text.slice(0, LONGEST_TEXT);
}

function write(fd, bytes) {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      // The core has gone; the end of standard input says so and ends this worker.
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
      waitForReader();
    }
  }
}

/** Node opens pipes without blocking; a full one is worth a millisecond, not a lost event. */
function waitForReader() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
