/**
 * The loops that are timed.
 *
 * V8 optimises a function for what it has seen, all callers together. So that each shape and
 * operation is compiled as in a program that does nothing else, this module and its folds are
 * instantiated for each pair (`loops.js?T1.encode`), and each instance makes one loop.
 */

const { search } = new URL(import.meta.url);
/** @type {typeof import('./folds.js')} */
const folds = await import(`./folds.js${search}`);

/** Holds the last result, so that V8 cannot leave out making it. */
export const kept = { result: undefined };

export const { foldBytes, foldNative } = folds;

/**
 * A loop over all inputs, again and again, that folds every result.
 * @template Input, Result
 * @param {Input[]} inputs
 * @param {(input: Input) => Result} produce
 * @param {(result: Result) => number} fold
 * @returns {(iterations: number) => number} gives the checksum
 */
export function folding(inputs, produce, fold) {
  return (iterations) => {
    let checksum = 0;
    let next = 0;
    for (let iteration = 0; iteration < iterations; iteration += 1) {
      const result = produce(inputs[next]);
      kept.result = result;
      checksum = (checksum + fold(result)) | 0;
      next += 1;
      if (next === inputs.length) next = 0;
    }
    return checksum >>> 0;
  };
}

/**
 * The same loop with nothing made of the results.
 * @template Input
 * @param {Input[]} inputs
 * @param {(input: Input) => unknown} produce
 * @returns {(iterations: number) => number} gives 0
 */
export function dropping(inputs, produce) {
  return (iterations) => {
    let next = 0;
    for (let iteration = 0; iteration < iterations; iteration += 1) {
      produce(inputs[next]);
      next += 1;
      if (next === inputs.length) next = 0;
    }
    return 0;
  };
}

/**
 * From native value to native value.
 * @param {import('./operations.js').Codec} codec
 */
export function roundTrip({ toMessage, encode, decode, fromMessage }) {
  if (!toMessage) return (native) => decode(encode(native));
  return (native) => fromMessage(decode(encode(toMessage(native))));
}

/** @template Value @param {Value} value */
export function identity(value) {
  return value;
}
