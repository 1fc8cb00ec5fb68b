/** The operations of the suite: what a codec has, and the loop of each. */

import { auditOf } from './audits.js';
import { pool, textLengths, twins as twinsOf } from './shapes.js';

/**
 * One shape of a contender. `toMessage` and `fromMessage` are of libraries whose messages are
 * types of their own; `encode` and `decode` work on native values otherwise.
 * @typedef {object} Codec
 * @property {(value: any) => Uint8Array} encode into bytes that stay as they are
 * @property {(bytes: Uint8Array) => any} decode
 * @property {(native: any) => any} [toMessage]
 * @property {(message: any) => any} [fromMessage] must come with `toMessage`
 * @property {(message: any) => number} [fold] of a message; the native value's when left out
 */

/**
 * Operation that a baseline has instead.
 * @typedef {object} Baseline
 * @property {(bytes: Uint8Array) => Uint8Array} copy
 */

const CODING = ['encode', 'decode', 'round_trip', 'round_trip_unused'];
const CONVERTING = ['to_message', 'from_message'];
const COPYING = ['copy', 'touch'];
const CONFORMING = ['read', 'truncate', 'reject'];

/** The baseline copies a quarter of the JSON text, which is about what an encoding has. */
const TEXT_PART = 4;
const COPIED_AT_LEAST = 8;
const PREPARED_MODULUS = 251;

/**
 * The operations that a codec has.
 * @param {Codec | Baseline} codec
 * @returns {string[]}
 */
export function operationsOf(codec) {
  if ('copy' in codec) return COPYING;
  return [...CODING, ...(codec.toMessage ? CONVERTING : []), ...CONFORMING];
}

/**
 * The loop of an operation.
 * @param {string} shape
 * @param {string} operation one that `operationsOf` names
 * @param {any} codec
 * @param {any[]} natives
 * @returns {Promise<import('../../wirelab-sdk/src/batches.js').Loop>}
 */
export async function loopOf(shape, operation, codec, natives) {
  const loops = await import(`./loops.js?${shape}.${operation}`);
  const inputs = INPUTS[operation]?.({ shape, codec, natives }) ?? natives;
  const run = LOOPS[operation]({ shape, codec, inputs, loops });
  const wanted = { instances: pool(shape), twins: twinsOf(shape) };
  const audit = auditOf({ shape, operation, codec, twins: twinsOf(shape), inputs, wanted, loops });
  return { run, inputs: inputs.length, audit };
}

/** Inputs that go into an operation, where it is no native value. */
const INPUTS = {
  encode: ({ codec, natives }) => messages(codec, natives),
  decode: ({ codec, natives }) => encodings(codec, natives),
  from_message: ({ codec, natives }) =>
    encodings(codec, natives).map((bytes) => codec.decode(bytes)),
  copy: ({ shape }) => prepared(shape),
};

const LOOPS = {
  to_message: ({ shape, codec, inputs, loops }) =>
    loops.folding(inputs, codec.toMessage, messageFold(shape, codec, loops)),
  encode: ({ codec, inputs, loops }) => loops.folding(inputs, codec.encode, loops.foldBytes),
  decode: ({ shape, codec, inputs, loops }) =>
    loops.folding(inputs, codec.decode, messageFold(shape, codec, loops)),
  from_message: ({ shape, codec, inputs, loops }) =>
    loops.folding(inputs, codec.fromMessage, loops.foldNative[shape]),
  round_trip: ({ shape, codec, inputs, loops }) =>
    loops.folding(inputs, loops.roundTrip(codec), loops.foldNative[shape]),
  round_trip_unused: ({ codec, inputs, loops }) => loops.dropping(inputs, loops.roundTrip(codec)),
  copy: ({ codec, inputs, loops }) => loops.folding(inputs, codec.copy, loops.foldBytes),
  touch: ({ shape, inputs, loops }) =>
    loops.folding(inputs, loops.identity, loops.foldNative[shape]),
};

function messageFold(shape, codec, loops) {
  return codec.fold ?? loops.foldNative[shape];
}

function messages({ toMessage }, natives) {
  return toMessage ? natives.map((native) => toMessage(native)) : natives;
}

function encodings(codec, natives) {
  return messages(codec, natives).map((message) => codec.encode(message));
}

/** Views of one buffer, each as long as the instance's copy is to be. */
function prepared(shape) {
  const lengths = textLengths(shape).map((length) =>
    Math.max(COPIED_AT_LEAST, Math.trunc(length / TEXT_PART)),
  );
  const buffer = Buffer.from(
    Array.from({ length: Math.max(...lengths) }, (_, k) => k % PREPARED_MODULUS),
  );
  return lengths.map((length) => buffer.subarray(0, length));
}
