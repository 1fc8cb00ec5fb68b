/** Strokes that are left out on purpose: of each user so many a second at most reach the others. */

const TELL_MS = 1000;

/** @typedef {import('./boards.js').Boards} Boards */

export class Sampling {
  #boards;
  #gapMs;
  /** When a stroke of a connection last went to the others. */
  #passed = new WeakMap();
  /** What was left out since it was told last, by board. @type {Map<string, number[][]>} */
  #leftOut = new Map();

  /**
   * @param {Boards} boards
   * @param {number} perSecond
   */
  constructor(boards, perSecond) {
    this.#boards = boards;
    this.#gapMs = 1000 / perSecond;
    setInterval(() => this.#tell(), TELL_MS).unref();
  }

  /** Give a stroke to its sender, and to the others unless one has just come from there. */
  send(socket, { board, user, seq }, text) {
    const now = performance.now();
    if (now - (this.#passed.get(socket) ?? -Infinity) >= this.#gapMs) {
      this.#passed.set(socket, now);
      this.#boards.send(board, text);
      return;
    }
    this.#boards.sendTo(socket, text);
    const leftOut = this.#leftOut.get(board);
    if (leftOut) leftOut.push([user, seq]);
    else this.#leftOut.set(board, [[user, seq]]);
  }

  #tell() {
    for (const [board, strokes] of this.#leftOut) {
      this.#boards.send(board, JSON.stringify({ type: 'skipped', board, strokes }));
    }
    this.#leftOut.clear();
  }
}
