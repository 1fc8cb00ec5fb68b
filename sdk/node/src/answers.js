/** The answers file: a JSON object a line, and the checksum of all of them. */

import { closeSync, openSync, writeSync } from 'node:fs';
// Not by name: servers, which need no checksum, run on Node.js before 20.15 as well.
import zlib from 'node:zlib';

/** Answers that the suite's verifier reads. Write when nothing is being timed. */
export class Answers {
  #file;
  #checksum = 0;
  written = 0;

  /** @param {string} path */
  constructor(path) {
    this.#file = openSync(path, 'w');
  }

  /**
   * Write the answer of an operation.
   * @param {object} line
   * @param {'preflight' | 'measure'} line.phase
   * @param {string} line.operation
   * @param {number} line.tick
   * @param {number} line.start_ns on CLOCK_MONOTONIC
   * @param {number} line.end_ns
   * @param {object} line.answer in the suite's form
   */
  write(line) {
    this.add(JSON.stringify(line));
  }

  /**
   * Write a line in the suite's own form.
   * @param {string} line JSON, without the end of the line
   */
  add(line) {
    const bytes = Buffer.from(`${line}\n`);
    this.#checksum = zlib.crc32(bytes, this.#checksum);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.written += 1;
  }

  /** @returns {string} CRC-32 of the file's bytes, 8 hex digits */
  close() {
    closeSync(this.#file);
    return this.#checksum.toString(16).padStart(8, '0');
  }
}
