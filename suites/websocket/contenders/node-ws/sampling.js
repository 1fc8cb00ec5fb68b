/**
 * Strokes that are left out on purpose: of each user so many a second at most reach the others, always
 * or while the event loop is behind.
 */

const TELL_MS = 1000;
const LOOK_MS = 20;
/** A loop that was behind is taken to be so for this long. */
const HOLD_MS = 1000;

/** @typedef {import('./boards.js').Boards} Boards */

export class Sampling {
  #boards;
  #gapMs;
  #isNeeded;
  /** Time at which a stroke of a connection last went to the others. */
  #passed = new WeakMap();
  /**
   * Strokes that were left out since it was told last, by board. @type {Map<string, number[][]>}
   */
  #leftOut = new Map();

  /**
   * @param {Boards} boards
   * @param {number} perSecond
   * @param {() => boolean} isNeeded whether anything is to be left out now
   */
  constructor(boards, perSecond, isNeeded = () => true) {
    this.#boards = boards;
    this.#isNeeded = isNeeded;
    this.#gapMs = 1000 / perSecond;
    setInterval(() => this.#tell(), TELL_MS).unref();
  }

  /** Give a stroke to its sender, and to the others unless one has just come from there. */
  send(socket, { board, user, seq }, text) {
    const now = performance.now();
    const isDue = now - (this.#passed.get(socket) ?? -Infinity) >= this.#gapMs;
    if (isDue || !this.#isNeeded()) {
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

/**
 * Look how far the event loop is behind.
 * @param {number} limitMs
 * @returns {() => boolean} whether it was more than `limitMs` behind within the last second
 */
export function watchLoop(limitMs) {
  let lookedMs = performance.now();
  let behindUntilMs = -Infinity;
  const look = () => {
    const now = performance.now();
    if (now - lookedMs - LOOK_MS > limitMs) behindUntilMs = now + HOLD_MS;
    lookedMs = now;
  };
  setInterval(look, LOOK_MS).unref();
  return () => performance.now() < behindUntilMs;
}
