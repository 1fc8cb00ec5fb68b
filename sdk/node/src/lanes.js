/** Lanes of one event loop: closed loops, with or without rounds, and open ones. */

import { monotonicNs } from './events.js';
import { dueTurns, intendedAt, joinsOf, lastIntended, refuseTooLong, stepsOf } from './schedule.js';
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
 * @property {Error[]} [items] what is said of each item that failed of a call that did not
 * @property {() => object} [answer] in the suite's form, made only where it is asked for
 *
 * @typedef {object} Work what lanes perform
 * @property {string} operation its name in the spec
 * @property {(step: import('./schedule.js').Step) => void} begin gets ready for a step, untimed
 * @property {(turn: Turn) => any} prepare what the call takes, before the clock is read
 * @property {(prepared: any) => Promise<any>} call the timed part
 * @property {(turn: Turn, result: any) => Outcome} judge after the clock was read
 * @property {(why: unknown) => number} statusOf how a failure of the library is recorded
 * @property {(user: number) => Promise<unknown>} [join] connects a user, where users have
 *   connections of their own
 * @property {(step: import('./schedule.js').Step) => boolean} inRounds whether the lanes of a step
 *   of a closed loop begin each tick together, when all have ended the one before
 */

/** Drives `Work` as the schedule of the spec says. */
export class Lanes {
  #worker;
  #work;
  #steps;
  #operation;
  /** Name and code of the operation by which users connect, where the spec has one. */
  #joining;
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
    const { operations } = worker.spec;
    this.#operation = operations[work.operation];
    this.#joining = Object.entries(operations).find(([, { due }]) => due === 'join');
  }

  /**
   * Performs what is verified before timing, as lane 0 of the first step; rejects as the library
   * does.
   */
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
    const joins = joinsOf(this.#worker.spec.schedule, this.#steps);
    for (const step of this.#steps) {
      if (this.#worker.isStopped) return;
      this.#work.begin(step);
      for (const user of joins.keys()) {
        if (joins[user].step === step && !this.#worker.isStopped) await this.#join(user);
      }
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
    const joins = joinsOf(this.#worker.spec.schedule, this.#steps);
    await Promise.all(joins.map(({ afterNs }, user) => this.#live(user, startNs, afterNs)));
  }

  async #live(lane, startNs, joinsAfterNs) {
    const { schedule, limits } = this.#worker.spec;
    const endNs = Number(startNs) + lastIntended(schedule) + limits.operation_ns;
    if (this.#joining !== undefined) {
      const intendedNs = intendedAt(startNs, joinsAfterNs);
      await this.#worker.waiting.until(Number(intendedNs));
      if (this.#worker.isStopped) return;
      await this.#join(lane, intendedNs);
    }
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

  // ------------------------------------------------------------------------ join

  async #join(user, intendedNs) {
    if (this.#joining === undefined) return;
    const [operation, { code }] = this.#joining;
    const startNs = monotonicNs();
    let status = Status.OK;
    let error;
    try {
      await this.#worker.within(this.#work.join(user));
    } catch (why) {
      error = why ?? new Error('the library gave no reason');
      status = this.#failure(error);
    }
    const endNs = monotonicNs();
    const intended = intendedNs ?? startNs;
    this.#worker.recorder.record({
      intended, start: startNs, end: endNs, size: 0, code, status, lane: user,
    });
    if (error) this.#worker.events.error(error, 'call', { operation, intended_ns: intended });
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
    const { events } = this.#worker;
    const said = { operation: this.#work.operation, intended_ns: intendedNs };
    if (outcome.error) events.error(outcome.error, 'call', said);
    for (const item of outcome.items ?? []) events.error(item, 'item', said);
    const answer = outcome.error ? undefined : outcome.answer;
    const kept = { tick: turn.tick, startNs, endNs, answer };
    this.#worker.asked.end(turn.lane, [[this.#work.operation, kept]]);
  }

  #failure(why) {
    // Whatever its library calls it: it has thrown, and returned nothing.
    return why instanceof GivenUp ? Status.TIMEOUT : this.#work.statusOf(why) || Status.ERROR;
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
