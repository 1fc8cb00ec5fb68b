/** Answers that the core asks for after their operation: the last results of each lane are kept. */

import { monotonicNs } from './events.js';

/**
 * @typedef {object} Result an operation that has ended; without `answer` it failed
 * @property {number} tick
 * @property {number} startNs
 * @property {number} endNs
 * @property {() => object} [answer] in the suite's form
 *
 * @typedef {{ asked: number, operation: string, lane: number }} Asking
 */

/**
 * Keeps the results of each lane from their end until it begins again, and answers with them. What
 * was asked meanwhile waits for the end.
 */
export class Asked {
  #answers;
  #recorder;
  /** @type {Map<number, Map<string, Result | 'given'>>} */
  #kept = new Map();
  /** @type {Map<number, Asking[]>} */
  #waiting = new Map();

  /**
   * @param {import('./answers.js').Answers} answers
   * @param {import('./recorder.js').Recorder} [recorder] whose records are in their file before an
   *   answer says so
   */
  constructor(answers, recorder) {
    this.#answers = answers;
    this.#recorder = recorder;
  }

  /**
   * Let go of the results of a lane that begins its next operations.
   * @param {number} lane
   */
  begin(lane) {
    this.#kept.delete(lane);
  }

  /**
   * Keep what the operations of a lane brought, and answer what was asked meanwhile.
   * @param {number} lane
   * @param {Iterable<[string, Result]>} results by operation
   */
  end(lane, results) {
    const kept = new Map(results);
    this.#kept.set(lane, kept);
    const waiting = this.#waiting.get(lane);
    if (waiting === undefined) return;
    this.#waiting.delete(lane);
    for (const asking of waiting) this.#answer(asking, kept);
  }

  /**
   * Answer now, or when the lane has ended what it is at.
   * @param {Asking} asking
   */
  hear({ asked, operation, lane }) {
    const kept = this.#kept.get(lane);
    if (kept !== undefined) {
      this.#answer({ asked, operation, lane }, kept);
      return;
    }
    const waiting = this.#waiting.get(lane) ?? [];
    this.#waiting.set(lane, [...waiting, { asked, operation, lane }]);
  }

  /**
   * @param {Asking} asking
   * @param {Map<string, Result | 'given'>} kept
   */
  #answer({ asked, operation, lane }, kept) {
    const line = { phase: 'measure', operation, asked, lane };
    const result = kept.get(operation);
    if (result === undefined || result === 'given' || result.answer === undefined) {
      const none = result === undefined ? 'nothing' : result === 'given' ? 'given' : 'failed';
      this.#answers.add(JSON.stringify({ ...line, none }));
      return;
    }
    kept.set(operation, 'given');
    const beginNs = monotonicNs();
    const records = this.#recorder?.publish();
    // In words already here, so that the pause has the whole of it.
    const words = JSON.stringify(result.answer());
    const { tick, startNs, endNs } = result;
    const pause = [beginNs, monotonicNs()];
    const stamps = { tick, start_ns: startNs, end_ns: endNs, records, pause };
    this.#answers.add(`${JSON.stringify({ ...line, ...stamps }).slice(0, -1)},"answer":${words}}`);
  }
}
