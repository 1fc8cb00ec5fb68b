/** Members of each board. */

/** @typedef {import('@grpc/grpc-js').ServerDuplexStream<object, Buffer>} Call */

export class Boards {
  /** @type {Map<string, Set<Call>>} */
  #calls = new Map();
  /** @type {Map<Call, string>} */
  #boardOf = new Map();

  /**
   * Put a call on a board; it leaves the one it was on.
   * @param {Call} call
   */
  join(call, board) {
    this.leave(call);
    const calls = this.#calls.get(board);
    if (calls) calls.add(call);
    else this.#calls.set(board, new Set([call]));
    this.#boardOf.set(call, board);
  }

  /**
   * Take a call off its board, if it is on one; a board without members is forgotten.
   * @param {Call} call
   */
  leave(call) {
    const board = this.#boardOf.get(call);
    const calls = this.#calls.get(board);
    if (!calls) return;
    this.#boardOf.delete(call);
    calls.delete(call);
    if (calls.size === 0) this.#calls.delete(board);
  }

  /**
   * Send the same message to everybody.
   * @param {Buffer} message
   */
  send(board, message) {
    for (const call of this.#calls.get(board) ?? []) call.write(message);
  }
}
