/** Members of each board. */

/** @typedef {import('node:http').ServerResponse} Stream the response that does not end */

export class Boards {
  /** @type {Map<string, Set<Stream>>} */
  #streams = new Map();

  /** @param {Stream} stream */
  enter(stream, board) {
    const streams = this.#streams.get(board);
    if (streams) streams.add(stream);
    else this.#streams.set(board, new Set([stream]));
  }

  /**
   * A board without anybody is forgotten.
   * @param {Stream} stream
   */
  leave(stream, board) {
    const streams = this.#streams.get(board);
    streams.delete(stream);
    if (streams.size === 0) this.#streams.delete(board);
  }

  /**
   * Send the same event to everybody, each in a chunk of its own.
   * @param {Buffer} event
   */
  send(board, event) {
    for (const stream of this.#streams.get(board) ?? []) stream.write(event);
  }
}
