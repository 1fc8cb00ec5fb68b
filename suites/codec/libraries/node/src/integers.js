/** 64-bit integers of a library as the numbers of a native value. */

/**
 * The number that an integer of 64 bits is.
 * @param {bigint | { toNumber(): number }} integer a BigInt, or what `long` makes
 * @returns {number}
 * @throws {RangeError} beyond 2^53, where a number would be another one
 */
export function safeNumber(integer) {
  const number = typeof integer === 'bigint' ? Number(integer) : integer.toNumber();
  if (!Number.isSafeInteger(number)) throw new RangeError(`${integer} is no number's value`);
  return number;
}
