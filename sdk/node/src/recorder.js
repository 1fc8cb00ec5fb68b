/** The sample file of a client: records of 32 bytes. */

import { open } from 'node:fs/promises';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';

import { RECORD_BYTES, sampleHeader } from './files.js';

/** Records of a chunk: 128 KiB, seconds at ordinary rates. */
const CHUNK_RECORDS = 4096;
const HIGH = 2 ** 32;
const LARGEST_SIZE = HIGH - 1;

/** A full chunk is written beside the event loop, which waits for no disk. */
export class Recorder {
  #path;
  #chunk = Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES);
  #used = 0;
  #written = 0;
  /** Chunks follow each other in the file. */
  #writing = Promise.resolve();
  /** Chunks that are not in the file yet. */
  #passed = 0;
  #file;
  /** The same for what is written at once. */
  #open;

  /** @param {string} path of a file that is made, with its header */
  constructor(path) {
    this.#path = path;
    writeFileSync(path, sampleHeader());
  }

  /** Records so far. */
  get count() {
    return this.#written + this.#used / RECORD_BYTES;
  }

  /**
   * Record an operation; times in ns on CLOCK_MONOTONIC.
   * @param {object} record
   * @param {number | bigint} record.intended
   * @param {number | bigint} record.start
   * @param {number | bigint} record.end
   * @param {number} record.size more than 32 bits hold is kept as their maximum
   * @param {number} record.code of the operation
   * @param {number} record.status
   * @param {number} record.lane
   */
  record({ intended, start, end, size, code, status, lane }) {
    const chunk = this.#chunk;
    const at = this.#used;
    writeU64(chunk, intended, at);
    writeU64(chunk, start, at + 8);
    writeU64(chunk, end, at + 16);
    chunk.writeUInt32LE(Math.min(size, LARGEST_SIZE), at + 24);
    chunk.writeUInt8(code, at + 28);
    chunk.writeUInt8(status, at + 29);
    chunk.writeUInt16LE(lane, at + 30);
    this.#used += RECORD_BYTES;
    if (this.#used === chunk.length) this.#pass();
  }

  /**
   * Write what was recorded to the file, for who looks at it; throws where it cannot be written.
   * @returns {number | undefined} records in it; nothing while a chunk is on its way
   */
  publish() {
    if (this.#passed > 0) return undefined;
    this.#open ??= openSync(this.#path, 'a');
    for (let at = 0; at < this.#used; ) {
      at += writeSync(this.#open, this.#chunk, at, this.#used - at);
    }
    this.#written += this.#used / RECORD_BYTES;
    this.#used = 0;
    return this.#written;
  }

  /** Write everything; rejects when any record could not be written, now or earlier. */
  async close() {
    this.#pass();
    await this.#writing;
    await this.#file?.close();
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = undefined;
  }

  #pass() {
    const bytes = this.#chunk.subarray(0, this.#used);
    this.#written += this.#used / RECORD_BYTES;
    this.#chunk = Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES);
    this.#used = 0;
    this.#passed += 1;
    this.#writing = this.#writing.then(() => this.#append(bytes));
    // Said by close.
    this.#writing.catch(() => {});
  }

  async #append(bytes) {
    this.#file ??= await open(this.#path, 'a');
    await this.#file.appendFile(bytes);
    this.#passed -= 1;
  }
}

/** An integer below 2^53 in two halves: a BigInt for each time would be garbage. */
function writeU64(buffer, value, at) {
  if (typeof value === 'bigint') {
    buffer.writeBigUInt64LE(value, at);
    return;
  }
  buffer.writeUInt32LE(value % HIGH, at);
  buffer.writeUInt32LE(Math.floor(value / HIGH), at + 4);
}
