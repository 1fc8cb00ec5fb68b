/** Reading the CGD buffer format. Nothing is believed that the bytes do not show. */

import { CgdError } from './cgd-error.js';

const TWO_32 = 2 ** 32;
/** High halves of the integers of 64 bits that a number holds. */
const HIGH_END = 2 ** 21;

/** A count, and the NUL unit of an empty string. */
const STRING_BYTES = 6;

/**
 * The memory read last and a view of all of it. Messages that come in one after the other mostly
 * lie in one slab, and making a view takes longer than reading ten numbers.
 */
let memory = new ArrayBuffer(0);
let memoryView = new DataView(memory);

/** Extracts values in the order in which they were appended. */
export class CgdReader {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    if (bytes.buffer !== memory) {
      memory = bytes.buffer;
      memoryView = new DataView(memory);
    }
    this.view = memoryView;
    this.bytes = bytes;
    this.start = bytes.byteOffset;
    this.at = this.start;
    this.end = this.start + bytes.length;
  }

  extractInt8() {
    return this.view.getInt8(this.#advance(1));
  }

  extractUint8() {
    return this.view.getUint8(this.#advance(1));
  }

  extractBool() {
    const value = this.view.getUint8(this.#advance(1));
    if (value > 1) throw this.#wrong(`a bool of ${value}, which is neither 0 nor 1`);
    return value === 1;
  }

  extractInt16() {
    return this.view.getInt16(this.#advance(2), true);
  }

  extractUint16() {
    return this.view.getUint16(this.#advance(2), true);
  }

  extractInt32() {
    return this.view.getInt32(this.#advance(4), true);
  }

  extractUint32() {
    return this.view.getUint32(this.#advance(4), true);
  }

  /** @throws {CgdError} for what a number cannot hold */
  extractInt64() {
    const at = this.#advance(8);
    const value = this.view.getInt32(at + 4, true) * TWO_32 + this.view.getUint32(at, true);
    if (!Number.isSafeInteger(value)) throw this.#wrong('an integer that no number holds');
    return value;
  }

  /** @throws {CgdError} for what a number cannot hold */
  extractUint64() {
    const at = this.#advance(8);
    const high = this.view.getUint32(at + 4, true);
    if (high >= HIGH_END) throw this.#wrong('an integer that no number holds');
    return high * TWO_32 + this.view.getUint32(at, true);
  }

  extractFloat() {
    return this.view.getFloat32(this.#advance(4), true);
  }

  extractDouble() {
    return this.view.getFloat64(this.#advance(8), true);
  }

  /** @returns {string} which may have lone surrogates, as any string here */
  extractString() {
    const units = this.extractCount(2);
    if (units === 0) throw this.#wrong('a string of no units: an empty one has its NUL');
    const first = this.at;
    const end = first + 2 * (units - 1);
    if (this.view.getUint16(end, true) !== 0) throw this.#wrong('no NUL at the end of a string');
    this.at = end + 2;
    return this.bytes.toString('utf16le', first - this.start, end - this.start);
  }

  /** A string, or null: a count of -1. */
  extractNullableString() {
    const first = this.at;
    if (this.extractInt32() === -1) return null;
    this.at = first;
    return this.extractString();
  }

  /**
   * Number of elements that follow.
   * @param {number} smallest bytes that an element takes at least
   * @throws {CgdError} when what is left cannot hold as many
   */
  extractCount(smallest) {
    const count = this.extractInt32();
    if (count === -1) throw this.#wrong('null where a value must be');
    if (count < 0) throw this.#wrong(`a count of ${count}, which is below -1`);
    const left = this.end - this.at;
    if (count * smallest > left) throw this.#wrong(`a count of ${count} in ${left} bytes`);
    return count;
  }

  /** A list of bytes, which is a copy. */
  extractBytes() {
    const length = this.extractCount(1);
    const from = this.#advance(length) - this.start;
    return Buffer.from(this.bytes.subarray(from, from + length));
  }

  /**
   * @template Element
   * @param {number} smallest bytes that an element takes at least
   * @param {(reader: this) => Element} extract
   * @returns {Element[]}
   */
  extractList(smallest, extract) {
    const list = new Array(this.extractCount(smallest));
    for (let i = 0; i < list.length; i += 1) list[i] = extract(this);
    return list;
  }

  /**
   * @template Value
   * @param {number} smallest bytes that a value takes at least
   * @param {(reader: this) => Value} extract
   * @returns {Record<string, Value>}
   */
  extractMap(smallest, extract) {
    const count = this.extractCount(STRING_BYTES + smallest);
    const map = {};
    for (let i = 0; i < count; i += 1) {
      const key = this.extractString();
      const value = extract(this);
      if (key === '__proto__') own(map, key, value);
      else map[key] = value;
    }
    return map;
  }

  /** @throws {CgdError} when something is left */
  finish() {
    const left = this.end - this.at;
    if (left > 0) throw this.#wrong(`${left} bytes after the message`);
  }

  /** What is wrong with the bytes, and where. */
  #wrong(what) {
    return new CgdError(`${what}, before byte ${this.at - this.start}`);
  }

  /** Moves behind the next `size` bytes, and gives their offset. */
  #advance(size) {
    const { at } = this;
    if (at + size > this.end) throw this.#wrong(`a value of ${size} bytes is cut off`);
    this.at = at + size;
    return at;
  }
}

/** An assignment would set the prototype instead. */
function own(map, key, value) {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}
