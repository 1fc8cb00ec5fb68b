/** A client on the ticks of a paced schedule: what is due at one is issued together. */

import { setImmediate as turn } from 'node:timers/promises';

import { monotonicNs } from './events.js';
import { intendedAt, refuseTooLong } from './schedule.js';
import { Status } from './status.js';
import { GivenUp } from './waiting.js';

/** Nobody asks for an answer in the last tenth of a period. */
const LET_GO_SHARE = 10;

/**
 * @typedef {{ phase: 'preflight' | 'measure', tick: number }} PacedTurn
 * @typedef {object} PacedOutcome
 * @property {number} status
 * @property {number} [size] of the payload
 * @property {Error[]} [items] what is said of each item that failed
 * @property {Error} [error] what is said where the whole call failed
 * @property {() => object} [answer] in the suite's form, made only where it is asked for
 *
 * @typedef {object} PacedWork
 * @property {string[]} capabilities
 * @property {() => Promise<unknown>} open connects; before `ready`, unless connecting is timed
 * @property {(turn: PacedTurn) => Record<string, () => Promise<PacedOutcome>>} actions what can be
 *   done at a tick, prepared, by the names of the operations; what it leaves out is not performed
 * @property {(why: any) => { status: number, error: Error }} failed how a failure of the library
 *   is recorded and said
 * @property {() => unknown} close
 */

/** Drives `PacedWork`: the next tick begins when everything of the last one has ended. */
export class Ticks {
  #worker;
  #work;

  /**
   * @param {import('./client.js').ClientWorker} worker
   * @param {PacedWork} work
   */
  constructor(worker, work) {
    refuseTooLong(worker.spec.schedule);
    this.#worker = worker;
    this.#work = work;
  }

  /** Performs what is verified before timing, one after the other; rejects as the library does. */
  async preflight() {
    for (const [operation, count] of Object.entries(this.#worker.spec.verify?.preflight ?? {})) {
      for (let tick = 0; tick < count && !this.#worker.isStopped; tick += 1) {
        const action = this.#work.actions({ phase: 'preflight', tick })[operation];
        const startNs = monotonicNs();
        const { error, answer } = await this.#worker.within(action());
        const endNs = monotonicNs();
        if (error) throw error;
        this.#worker.answers.write({
          phase: 'preflight',
          operation,
          tick,
          start_ns: startNs,
          end_ns: endNs,
          answer: answer(),
        });
      }
    }
  }

  /**
   * Carry out the schedule, or what there is of it until `stop`.
   * @param {number | bigint} startNs
   */
  async run(startNs) {
    const { first_ns, period_ns, count } = this.#worker.spec.schedule;
    for (let tick = 0; tick < count; tick += 1) {
      const intendedNs = intendedAt(startNs, first_ns + tick * period_ns);
      const due = this.#due(tick);
      // So that to free what is kept is in nobody's time.
      await this.#worker.waiting.until(Number(intendedNs) - period_ns / LET_GO_SHARE);
      this.#worker.asked.begin(0);
      await this.#worker.waiting.until(Number(intendedNs));
      if (this.#worker.isStopped) return;
      const calls = await Promise.all(due.map((one) => this.#perform(one)));
      // Only now: what is written of one must not disturb the timing of another.
      calls.sort((one, other) => one.endNs - other.endNs);
      for (const call of calls) this.#record(call, intendedNs);
      this.#worker.asked.end(
        0,
        calls.map(({ name, startNs, endNs, outcome }) => [
          name,
          { tick, startNs, endNs, answer: outcome.answer },
        ]),
      );
      // Who is late begins the next tick at once, and would not hear of what has been asked: the end
      // of a call comes in one turn of the event loop, standard input may be heard in the next.
      await turn();
      await turn();
      if (this.#worker.isStopped) return;
    }
  }

  #due(tick) {
    const actions = this.#work.actions({ phase: 'measure', tick });
    return Object.entries(this.#worker.spec.operations)
      .filter(([name, { every }]) => actions[name] && tick % (every ?? 1) === 0)
      .map(([name, { code }]) => ({ name, code, action: actions[name] }));
  }

  async #perform({ name, code, action }) {
    const startNs = monotonicNs();
    let endNs;
    let outcome;
    try {
      outcome = await this.#worker.within(action());
      endNs = monotonicNs();
    } catch (why) {
      endNs = monotonicNs();
      outcome =
        why instanceof GivenUp ? { status: Status.TIMEOUT, error: why } : this.#work.failed(why);
      // Whatever its library calls it: it has thrown, and returned nothing.
      outcome = { ...outcome, status: outcome.status || Status.ERROR };
    }
    return { name, code, startNs, endNs, outcome };
  }

  #record({ name, code, startNs, endNs, outcome }, intendedNs) {
    this.#worker.recorder.record({
      intended: intendedNs,
      start: startNs,
      end: endNs,
      size: outcome.size ?? 0,
      code,
      status: outcome.status,
      lane: 0,
    });
    const said = { operation: name, intended_ns: intendedNs };
    if (outcome.error) this.#worker.events.error(outcome.error, 'call', said);
    for (const item of outcome.items ?? []) this.#worker.events.error(item, 'item', said);
  }
}
