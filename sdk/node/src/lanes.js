/** Lanes of one event loop: closed loops, with or without rounds, and open ones. */

import { monotonicNs } from './events.js';
import { dueTurns, intendedAt, lastIntended, refuseTooLong, stepsOf } from './schedule.js';
import { Status } from './status.js';
import { GivenUp } from './waiting.js';

const NS_PER_MS = 1e6;

/**
 * @typedef {{ phase: 'preflight' | 'measure', tick: number, lane: number,
 *   step: import('./schedule.js').Step }} Turn
 * @typedef {object} Outcome
 * @property {number} status
 * @property {number} [size] of the payload
 * @property {Error} [error] what is said where the status is not ok
 * @property {() => object} [answer] in the suite's form, made only where it is asked for
 *
 * @typedef {object} Work what lanes perform
 * @property {string} operation its name in the spec
 * @property {(step: import('./schedule.js').Step) => void} begin gets ready for a step, untimed
 * @property {(turn: Turn) => any} prepare what the call takes, before the clock is read
 * @property {(prepared: any) => Promise<any>} call the timed part
 * @property {(turn: Turn, result: any) => Outcome} judge after the clock was read
 * @property {(why: unknown) => number} statusOf how a failure of the library is recorded
 * @property {(step: import('./schedule.js').Step) => boolean} inRounds whether the lanes of a step
 *   of a closed loop begin each tick together, when all have ended the one before
 */

/** Drives `Work` as the schedule of the spec says. */
export class Lanes {
  #worker;
  #work;
  #steps;
  #operation;
  #lastNs = 0;

  /**
   * @param {import('./client.js').ClientWorker} worker
   * @param {Work} work
   */
  constructor(worker, work) {
    refuseTooLong(worker.spec.schedule);
    this.#worker = worker;
    this.#work = work;
    this.#steps = stepsOf(worker.spec);
    this.#operation = worker.spec.operations[work.operation];
  }

  /** What is verified before timing, as lane 0 of the first step; rejects as the library does. */
  async preflight() {
    const [step] = this.#steps;
    this.#work.begin(step);
    const count = this.#worker.spec.verify?.preflight?.[this.#work.operation] ?? 0;
    for (let tick = 0; tick < count && !this.#worker.isStopped; tick += 1) {
      const turn = /** @type {Turn} */ ({ phase: 'preflight', tick, lane: 0, step });
      const prepared = this.#work.prepare(turn);
      const startNs = monotonicNs();
      const result = await this.#worker.within(this.#work.call(prepared));
      const endNs = monotonicNs();
      const outcome = this.#work.judge(turn, result);
      if (outcome.error) throw outcome.error;
      this.#write({ turn, startNs, endNs, outcome });
    }
  }

  /**
   * Carry out the schedule, or what there is of it until `stop`.
   * @param {number | bigint} startNs
   */
  async run(startNs) {
    const { loop } = this.#worker.spec.schedule;
    await (loop === 'closed' ? this.#closed(Number(startNs)) : this.#open(startNs));
  }

  // ---------------------------------------------------------------------- closed

  async #closed(startNs) {
    await this.#worker.waiting.until(startNs);
    for (const step of this.#steps) {
      if (this.#worker.isStopped) return;
      this.#work.begin(step);
      const counts = step.first + step.settle;
      await this.#ticks(step, step.first, counts);
      const beginNs = monotonicNs();
      await this.#ticks(step, counts, step.first + step.count);
      // A step that was stopped has not ended: the core hears of those alone that have.
      if (this.#worker.isStopped) return;
      const end_ns = Math.max(beginNs + 1, this.#lastNs);
      this.#worker.events.emit('step', { name: step.name, begin_ns: beginNs, end_ns });
    }
  }

  async #ticks(step, from, to) {
    const { schedule, limits } = this.#worker.spec;
    const deadlineNs = monotonicNs() + (to - from) * schedule.period_ns + limits.operation_ns;
    const goesOn = () => !this.#worker.isStopped && monotonicNs() < deadlineNs;
    const lanes = Array.from({ length: step.lanes }, (_, lane) => lane);
    const perform = (tick, lane) => this.#perform({ phase: 'measure', tick, lane, step });
    const isDue = (tick) => tick % (this.#operation.every ?? 1) === 0;
    if (this.#work.inRounds(step)) {
      for (let tick = from; tick < to && goesOn(); tick += 1) {
        if (isDue(tick)) await Promise.all(lanes.map((lane) => perform(tick, lane)));
      }
      return;
    }
    const live = async (lane) => {
      for (let tick = from; tick < to && goesOn(); tick += 1) {
        if (isDue(tick)) await perform(tick, lane);
      }
    };
    await Promise.all(lanes.map(live));
  }

  // ------------------------------------------------------------------------ open

  async #open(startNs) {
    this.#steps.forEach((step) => this.#work.begin(step));
    const most = Math.max(...this.#steps.map((step) => step.lanes));
    await Promise.all(Array.from({ length: most }, (_, lane) => this.#live(lane, startNs)));
  }

  async #live(lane, startNs) {
    const { schedule, limits } = this.#worker.spec;
    const endNs = Number(startNs) + lastIntended(schedule) + limits.operation_ns;
    for (const { step, tick, afterNs } of dueTurns(schedule, this.#steps, lane)) {
      if (tick % (this.#operation.every ?? 1) !== 0) continue;
      const intendedNs = intendedAt(startNs, afterNs);
      await this.#worker.waiting.until(Number(intendedNs));
      if (this.#worker.isStopped) return;
      const turn = /** @type {Turn} */ ({ phase: 'measure', tick, lane, step });
      const nowNs = monotonicNs();
      if (nowNs < endNs) {
        await this.#perform(turn, intendedNs, (endNs - nowNs) / NS_PER_MS);
      } else {
        const error = new GivenUp('not begun when time was up');
        this.#keep({ turn, intendedNs, startNs: nowNs, endNs: nowNs, error });
      }
    }
  }

  // ------------------------------------------------------------------------ call

  async #perform(turn, intendedNs, leftMs = Infinity) {
    this.#worker.asked.begin(turn.lane);
    const prepared = this.#work.prepare(turn);
    let result;
    let error;
    const startNs = monotonicNs();
    try {
      result = await this.#worker.within(this.#work.call(prepared), leftMs);
    } catch (why) {
      error = why ?? new Error('the library gave no reason');
    }
    const endNs = monotonicNs();
    this.#keep({ turn, intendedNs: intendedNs ?? startNs, startNs, endNs, result, error });
  }

  #keep({ turn, intendedNs, startNs, endNs, result, error }) {
    const outcome = error
      ? { status: this.#failure(error), error }
      : this.#work.judge(turn, result);
    this.#worker.recorder.record({
      intended: intendedNs,
      start: startNs,
      end: endNs,
      size: outcome.size ?? 0,
      code: this.#operation.code,
      status: outcome.status,
      lane: turn.lane,
    });
    this.#lastNs = Math.max(this.#lastNs, endNs);
    if (outcome.error) {
      const operation = this.#work.operation;
      this.#worker.events.error(outcome.error, 'call', { operation, intended_ns: intendedNs });
    }
    const answer = outcome.error ? undefined : outcome.answer;
    const kept = { tick: turn.tick, startNs, endNs, answer };
    this.#worker.asked.end(turn.lane, [[this.#work.operation, kept]]);
  }

  #failure(why) {
    return why instanceof GivenUp ? Status.TIMEOUT : this.#work.statusOf(why);
  }

  #write({ turn, startNs, endNs, outcome }) {
    this.#worker.answers.write({
      phase: turn.phase,
      operation: this.#work.operation,
      tick: turn.tick,
      start_ns: startNs,
      end_ns: endNs,
      answer: outcome.answer(),
    });
  }
}
