/**
 * Rows as callers get them: an array of 13 numbers, `c0` to `c4` and `d0` to `d7`.
 * @typedef {number[]} Row
 */

/** Names of the bins that are integers, below 2^53. */
export const INTEGERS = ['c0', 'c1', 'c2', 'c3', 'c4'];
/** Names of the bins that are doubles. */
export const DOUBLES = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'];

const BINS = INTEGERS.length + DOUBLES.length;
const BYTES = 8;
const PACKED_BYTES = BYTES * BINS;
const HIGH = 2 ** 32;
const PRIME = 0x100_0000_01b3n;
const ABSENT = 0xffff_ffff_ffff_ffffn;

/**
 * A row as Redis holds it: 104 bytes, little-endian, the integers first.
 * @param {Buffer} packed
 * @returns {Row}
 */
export function unpack(packed) {
  if (packed.length !== PACKED_BYTES) {
    throw new RangeError(`a record of ${packed.length} bytes, not ${PACKED_BYTES}`);
  }
  const row = new Array(BINS);
  for (let j = 0; j < INTEGERS.length; j += 1) {
    // In two halves: a BigInt for each would be garbage.
    row[j] = packed.readInt32LE(BYTES * j + 4) * HIGH + packed.readUInt32LE(BYTES * j);
  }
  for (let j = INTEGERS.length; j < BINS; j += 1) row[j] = packed.readDoubleLE(BYTES * j);
  return row;
}

/**
 * Summary that every operation is checked by: cheap, and another one for nearly every mistake.
 * @param {(Row | null)[]} rows
 */
export function summaryOf(rows) {
  let found = 0;
  let sum = 0;
  for (const row of rows) {
    if (row !== null) {
      found += 1;
      sum += row[0];
    }
  }
  return { rows: rows.length, found, sum };
}

/**
 * The suite's checksum, over the rows and their places.
 * @param {(Row | null)[]} rows
 * @returns {string} 16 hex digits
 */
export function checksum(rows) {
  const bits = bitsOf();
  let sum = 0n;
  rows.forEach((row, i) => {
    let h = BigInt(i + 1);
    for (let j = 0; j < BINS; j += 1) {
      h = BigInt.asUintN(64, h * PRIME + (row === null ? ABSENT : bits(row[j], j)));
    }
    // Odd factors, so that rows in each other's place are another sum.
    sum = BigInt.asUintN(64, sum + BigInt(2 * i + 1) * h);
  });
  return sum.toString(16).padStart(16, '0');
}

/** Reads the 64 bits of bin j. */
function bitsOf() {
  const view = new DataView(new ArrayBuffer(BYTES));
  return (value, j) => {
    if (j < INTEGERS.length) return BigInt.asUintN(64, BigInt(value));
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  };
}
