/**
 * Audits: a loop's work on inputs that were changed in place, whose results are looked at later.
 *
 * *Audits* in the suite's README.md says what is done in which order.
 */

import { deepEqual } from 'node:assert';

import { swap, swapBytes } from './swapping.js';

const OVERWRITTEN = 0xaa;
/** Results of each input before others are looked at: what is given again is another one by then. */
const MEANWHILE = 2;

/**
 * The audit of an operation whose loop has these inputs.
 * @param {object} subject
 * @param {string} subject.shape
 * @param {string} subject.operation
 * @param {import('./operations.js').Codec} subject.codec
 * @param {any[]} subject.twins native values
 * @param {any[]} subject.inputs
 * @param {{ instances: any[], twins: any[] }} subject.wanted native values that nobody changes
 * @param {typeof import('./loops.js')} subject.loops
 * @returns {(() => number) | undefined} gives the checksum; undefined where nothing comes of it
 */
export function auditOf({ shape, operation, codec, twins, inputs, wanted, loops }) {
  const make = AUDITS[operation];
  if (!make) return undefined;
  const foldNative = loops.foldNative[shape];
  const foldMessage = codec.fold ?? foldNative;
  const native = (value, one) => foldNative(value) + differs(value, one);
  const decoded = (message, one) =>
    foldMessage(message) + differs(codec.fromMessage?.(message) ?? message, one);
  const parts = make({ codec, twins, inputs, loops, native, decoded, foldMessage });
  const { change, produce, look, atOnce = false, spoil = leaveInputs } = parts;
  const expected = change === unchanged ? wanted.instances : wanted.twins;
  // V8 takes fields that were never written again to be constant, until they are.
  change();
  change();
  return () => {
    change();
    let results;
    try {
      results = inputs.map((input, place) =>
        atOnce ? look(produce(input), expected[place]) : produce(input),
      );
    } finally {
      change();
    }
    for (let time = 0; time < MEANWHILE && !atOnce; time += 1) {
      inputs.forEach((input) => produce(input));
    }
    const looked = atOnce ? results : results.map((result, place) => look(result, expected[place]));
    const checksum = looked.reduce((sum, one) => (sum + one) | 0, 0);
    spoil(results);
    return checksum >>> 0;
  };
}

const AUDITS = {
  // A message may refer to the value that it was made of, and need not be like one that is decoded.
  to_message: ({ codec, twins, inputs, foldMessage }) => ({
    change: swapping(inputs, twins),
    produce: codec.toMessage,
    look: (message) => foldMessage(message),
    atOnce: true,
  }),
  // The fold of bytes sees only some of them.
  encode: ({ codec, twins, inputs, decoded }) => ({
    change: codec.toMessage ? unchanged : swapping(inputs, twins),
    produce: codec.encode,
    look: (bytes, one) => decoded(codec.decode(bytes), one),
    spoil: (results) => results.forEach((bytes) => bytes.fill(OVERWRITTEN)),
  }),
  decode: ({ codec, twins, inputs, decoded }) => {
    const others = twins.map((twin) => codec.encode(codec.toMessage?.(twin) ?? twin));
    return {
      change: () => swapBytes(inputs, others),
      produce: codec.decode,
      look: decoded,
      spoil: codec.toMessage ? leaveInputs : spoiled,
    };
  },
  from_message: ({ codec, native }) => ({
    change: unchanged,
    produce: codec.fromMessage,
    look: native,
  }),
  round_trip: ({ codec, twins, inputs, loops, native }) => ({
    change: swapping(inputs, twins),
    produce: loops.roundTrip(codec),
    look: native,
    spoil: spoiled,
  }),
};

/** 1 where a value is not the wanted one, to the last letter: folds see only the ends of texts. */
function differs(value, wanted) {
  try {
    deepEqual(value, wanted);
    return 0;
  } catch {
    return 1;
  }
}

/** Change that has each value swap what it holds with its twin. */
function swapping(values, twins) {
  return () => values.forEach((value, place) => swap(value, twins[place]));
}

/** A library's messages have no twins that they could swap with. */
function unchanged() {}

/** Results are their owner's, who may change them. */
function spoiled(results) {
  for (let place = 1; place < results.length; place += 1) {
    swap(results[place - 1], results[place]);
  }
}

/** Leaves inputs as they are: what is given may be what the library goes on with. */
function leaveInputs() {}
