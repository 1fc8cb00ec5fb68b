/** The records of YCSB's user table: ten fields of 100 bytes, each of which says who wrote it. */

import { mix } from './multi-gets.js';

/** Names of the fields of a record, where a database names them. */
export const FIELD_NAMES = Array.from({ length: 10 }, (_, field) => `field${field}`);

export const FIELDS = FIELD_NAMES.length;

const FIELD_BYTES = 100;
const NUMBER_DIGITS = 12;
const HEAD = NUMBER_DIGITS + 1 + 12;
const OFFSETS = 1009;
const LETTERS = Array.from({ length: OFFSETS + FIELD_BYTES - HEAD }, (_, i) =>
  String.fromCharCode(97 + Number(mix(BigInt(i)) % 26n)),
).join('');

/**
 * The key of a record: numbers are hashed, so that neighbours in order are strangers.
 * @param {number} record
 */
export const nameOfUser = (record) => `user${String(mix(BigInt(record))).padStart(20, '0')}`;

/**
 * Bytes that the write with that sequence number puts into a field; 0: the insert.
 * @param {number} record
 * @param {number} field
 * @param {number} sequence
 */
export function valueOf(record, field, sequence) {
  const offset = (record * 31 + field * 7 + sequence) % OFFSETS;
  const filler = LETTERS.slice(offset, offset + FIELD_BYTES - HEAD);
  return Buffer.from(headOf(record, field, sequence) + filler, 'latin1');
}

function headOf(record, field, sequence) {
  const digits = (number) => String(number).padStart(NUMBER_DIGITS, '0');
  return `${digits(record)}${field}${digits(sequence)}`;
}

/**
 * Sequence number of the write of this field; undefined where nobody ever wrote what it holds. Of
 * what the first `loaded` records were loaded with, a client knows the head alone.
 * @param {Buffer} content
 * @param {number} record
 * @param {number} field
 * @param {number} loaded
 */
export function sequenceOf(content, record, field, loaded) {
  if (content.length !== FIELD_BYTES) return undefined;
  const sequence = Number(content.latin1Slice(NUMBER_DIGITS + 1, HEAD));
  if (!Number.isSafeInteger(sequence)) return undefined;
  const isRight =
    sequence === 0 && record < loaded
      ? content.latin1Slice(0, HEAD) === headOf(record, field, 0)
      : content.equals(valueOf(record, field, sequence));
  return isRight ? sequence : undefined;
}
