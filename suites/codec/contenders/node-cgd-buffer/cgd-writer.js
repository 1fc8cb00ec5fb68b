/** Writing the CGD buffer format: raw little-endian fields one after the other. */

import { CgdError } from './cgd-error.js';

const TWO_32 = 2 ** 32;
/** Up to this many units a loop is faster than a call out of the engine. */
const SHORT_TEXT = 48;

/**
 * Appends values to a message; `take` gives its bytes and begins the next one.
 *
 * Messages lie one after the other in a slab, and nobody writes where one has been: what `take`
 * gave stays as it is. A slab is let go when it is full.
 */
export class CgdWriter {
  /** @param {number} slabBytes of memory to ask for at a time */
  constructor(slabBytes = 8192) {
    this.slabBytes = slabBytes;
    this.start = 0;
    this.at = 0;
    this.#open(slabBytes);
  }

  appendInt8(/** @type {number} */ value) {
    const at = this.#advance(1);
    this.view.setInt8(at, value);
  }

  appendUint8(/** @type {number} */ value) {
    const at = this.#advance(1);
    this.view.setUint8(at, value);
  }

  appendBool(/** @type {boolean} */ value) {
    const at = this.#advance(1);
    this.view.setUint8(at, value ? 1 : 0);
  }

  appendInt16(/** @type {number} */ value) {
    const at = this.#advance(2);
    this.view.setInt16(at, value, true);
  }

  appendUint16(/** @type {number} */ value) {
    const at = this.#advance(2);
    this.view.setUint16(at, value, true);
  }

  appendInt32(/** @type {number} */ value) {
    const at = this.#advance(4);
    this.view.setInt32(at, value, true);
  }

  appendUint32(/** @type {number} */ value) {
    const at = this.#advance(4);
    this.view.setUint32(at, value, true);
  }

  /**
   * A signed or unsigned integer of 64 bits, as far as a number holds it.
   * @param {number} value
   * @throws {CgdError} for what is no integer within 2^53
   */
  appendInt64(value) {
    if (!Number.isSafeInteger(value)) throw new CgdError(`${value} is no safe integer`);
    const at = this.#advance(8);
    this.view.setInt32(at, value, true);
    this.view.setInt32(at + 4, Math.floor(value / TWO_32), true);
  }

  appendFloat(/** @type {number} */ value) {
    const at = this.#advance(4);
    this.view.setFloat32(at, value, true);
  }

  appendDouble(/** @type {number} */ value) {
    const at = this.#advance(8);
    this.view.setFloat64(at, value, true);
  }

  /** @param {string} text UTF-16 units, counted with the NUL unit behind them */
  appendString(text) {
    const { length } = text;
    const first = this.#advance(4 + 2 * length + 2) + 4;
    const { view } = this;
    view.setInt32(first - 4, length + 1, true);
    const end = first + 2 * length;
    if (length > SHORT_TEXT) {
      this.bytes.write(text, first, 'utf16le');
    } else {
      for (let i = 0, at = first; at < end; i += 1, at += 2) {
        view.setUint16(at, text.charCodeAt(i), true);
      }
    }
    view.setUint16(end, 0, true);
  }

  /** @param {string | null | undefined} text nothing at all is a count of -1 */
  appendNullableString(text) {
    if (text === null || text === undefined) this.appendInt32(-1);
    else this.appendString(text);
  }

  /** @param {Uint8Array} bytes a list of them */
  appendBytes(bytes) {
    this.appendInt32(bytes.length);
    const at = this.#advance(bytes.length);
    this.bytes.set(bytes, at);
  }

  /**
   * @template Element
   * @param {Element[]} list
   * @param {(writer: this, element: Element) => void} append
   */
  appendList(list, append) {
    this.appendInt32(list.length);
    for (let i = 0; i < list.length; i += 1) append(this, list[i]);
  }

  /**
   * @template Value
   * @param {Record<string, Value>} map
   * @param {(writer: this, value: Value) => void} append
   */
  appendMap(map, append) {
    const keys = Object.keys(map);
    this.appendInt32(keys.length);
    for (const key of keys) {
      this.appendString(key);
      append(this, map[key]);
    }
  }

  /** @returns {Buffer} the message's bytes */
  take() {
    const message = this.bytes.subarray(this.start, this.at);
    this.start = this.at;
    return message;
  }

  /** Forget what has been appended to the message under way. */
  discard() {
    this.at = this.start;
  }

  /**
   * Moves behind the next `size` bytes, and gives their offset. The view may be another one
   * afterwards.
   */
  #advance(size) {
    if (this.at + size > this.bytes.length) this.#grow(size);
    const { at } = this;
    this.at = at + size;
    return at;
  }

  #grow(size) {
    const begun = this.bytes.subarray(this.start, this.at);
    this.#open(Math.max(this.slabBytes, 2 * (begun.length + size)));
    begun.copy(this.bytes);
    this.start = 0;
    this.at = begun.length;
  }

  #open(size) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.view = new DataView(this.bytes.buffer);
  }
}
