/** The file of answers: a JSON object a line, and the checksum of all of them. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import { monotonicNs } from './contract.js';
import { neutral } from './neutral.js';

/** Large enough that a step is a few writes. */
const PENDING_CHARACTERS = 1 << 20;

export class Answers {
  #file;
  #pending = '';
  #checksum = 0;
  written = 0;

  /** @param {string} path */
  constructor(path) {
    this.#file = openSync(path, 'w');
  }

  /** @param {object} answer */
  write(answer) {
    this.#pending += `${neutral(answer)}\n`;
    this.written += 1;
    if (this.#pending.length > PENDING_CHARACTERS) this.flush();
  }

  flush() {
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#checksum = crc32(bytes, this.#checksum);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  /** @returns {string} 8 hex digits */
  close() {
    this.flush();
    closeSync(this.#file);
    return this.#checksum.toString(16).padStart(8, '0');
  }
}

/**
 * Call something and say when; what it throws is said too.
 * @template Result
 * @param {() => Result} call
 * @returns {{ times: { start_ns: number, end_ns: number }, result?: Result,
 *   failed?: { error: { class: string, message: string } } }}
 */
export function timed(call) {
  const start_ns = monotonicNs();
  try {
    const result = call();
    return { times: { start_ns, end_ns: monotonicNs() }, result };
  } catch (why) {
    return { times: { start_ns, end_ns: monotonicNs() }, failed: { error: described(why) } };
  }
}

/** @param {unknown} why whatever was thrown */
export function described(why) {
  if (!(why instanceof Error)) return { class: typeof why, message: String(why) };
  return { class: why.name, message: why.message };
}
