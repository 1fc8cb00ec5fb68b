/** Members of each board. */

/** Text frames, also of a text that is at hand as bytes, which need no encoding for every receiver. */
const AS_TEXT = { binary: false };

export class Boards {
  /** @type {Map<string, Set<import('ws').WebSocket>>} */
  #members = new Map();
  /** @type {Map<import('ws').WebSocket, string>} */
  #boardOf = new Map();

  /** Put a connection on a board; it leaves the one it was on. */
  join(socket, board) {
    this.leave(socket);
    const members = this.#members.get(board);
    if (members) members.add(socket);
    else this.#members.set(board, new Set([socket]));
    this.#boardOf.set(socket, board);
  }

  /** Take a connection off its board; a board without members is forgotten. */
  leave(socket) {
    const board = this.#boardOf.get(socket);
    const members = this.#members.get(board);
    if (!members) return;
    this.#boardOf.delete(socket);
    members.delete(socket);
    if (members.size === 0) this.#members.delete(board);
  }

  /** Send the same text to every member; one that is closing is passed over by `ws`. */
  send(board, text) {
    for (const member of this.#members.get(board) ?? []) member.send(text, AS_TEXT);
  }

  /** Send a text to one member. */
  sendTo(member, text) {
    member.send(text, AS_TEXT);
  }
}
