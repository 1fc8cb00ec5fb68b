/** End of a timed operation: the status byte of its record, as the contract numbers it. */
export const Status = Object.freeze({
  OK: 0,
  ERROR: 1,
  TIMEOUT: 2,
  DISCONNECTED: 3,
  REFUSED: 4,
  ITEM_ERROR: 5,
  WRONG_ANSWER: 6,
  UNSUPPORTED: 7,
});

const OF_CODE = new Map([
  ['ETIMEDOUT', Status.TIMEOUT],
  ['ECONNREFUSED', Status.REFUSED],
  ['ECONNRESET', Status.DISCONNECTED],
  ['EPIPE', Status.DISCONNECTED],
]);

/**
 * The status of a failure whose `code` is one of the network's.
 * @param {any} why
 */
export function networkStatus(why) {
  return OF_CODE.get(why?.code) ?? Status.ERROR;
}

/** A result that is not what was asked for: the error beside `Status.WRONG_ANSWER`. */
export class WrongAnswer extends Error {
  name = 'WrongAnswer';
}
