/** Schedule of the lanes: the arithmetic of the contract's *Steps and lanes*. */

import { SpecError } from './spec.js';

const GOLDEN = 618_033_989n;
const WHOLE = 1_000_000_000n;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {number} first tick
 * @property {number} count ticks
 * @property {number} settle ticks of `count` that are left out of the figures
 * @property {number} users
 * @property {number} lanes
 * @property {Record<string, import('./spec.js').Scalar>} parameters the spec's, with what the
 *   step changes
 */

/**
 * The steps of a spec; a schedule that has none is a single step of one lane.
 * @param {any} spec
 * @returns {Step[]}
 */
export function stepsOf({ schedule, parameters }) {
  const whole = { name: '', first: 0, count: schedule.count, settle: 0, users: 1, lanes: 1 };
  const steps = schedule.steps?.length ? schedule.steps : [whole];
  return steps.map((step) => ({ ...step, parameters: { ...parameters, ...step.parameters } }));
}

/**
 * Turns that a lane is due to in an open loop, in their order.
 * @param {any} schedule
 * @param {Step[]} steps
 * @param {number} lane
 * @returns {Generator<{ step: Step, tick: number, afterNs: number }>} times since tick 0's start
 */
export function* dueTurns(schedule, steps, lane) {
  const { length, active } = schedule.cycle ?? { length: 1, active: 1 };
  const period = schedule.period_ns;
  // Beyond what a double holds exactly.
  const share = (BigInt(lane) * GOLDEN) % WHOLE;
  const shift = Number((share * BigInt(length) * BigInt(period)) / WHOLE);
  const late = Math.floor(shift / period);
  let before = 0;
  for (const step of steps) {
    if (lane < step.lanes) {
      const from = step.first + (lane < before ? 0 : step.settle);
      for (let tick = from; tick < step.first + step.count; tick += 1) {
        if ((((tick - late) % length) + length) % length < active) {
          yield { step, tick, afterNs: schedule.first_ns + tick * period + (shift % period) };
        }
      }
    }
    before = step.lanes;
  }
}

/**
 * Times at which users connect, by their numbers.
 * @param {any} schedule
 * @param {Step[]} steps
 * @returns {{ step: Step, afterNs: number }[]} times since tick 0's start
 */
export function joinsOf(schedule, steps) {
  const joins = [];
  for (const step of steps) {
    const added = Math.max(0, step.users - joins.length);
    const beginNs = schedule.first_ns + step.first * schedule.period_ns;
    const spread = BigInt(step.join_ns ?? 0);
    for (let k = 0; k < added; k += 1) {
      // Beyond what a double holds exactly.
      const afterNs = beginNs + Number((BigInt(k) * spread) / BigInt(added));
      joins.push({ step, afterNs });
    }
  }
  return joins;
}

/**
 * Refuse a schedule whose times after the start no double holds: that of 104 days and more. In a
 * closed loop ticks have no times.
 * @param {any} schedule
 * @throws {SpecError}
 */
export function refuseTooLong(schedule) {
  if (schedule.loop !== 'closed' && lastIntended(schedule) > Number.MAX_SAFE_INTEGER) {
    throw new SpecError('schedule: longer than 104 days, beyond the numbers of JavaScript');
  }
}

/**
 * Time at which a turn is intended on CLOCK_MONOTONIC: exactly, as it is held to the schedule.
 * @param {number | bigint} startNs of tick 0
 * @param {number} afterNs since then
 * @returns {number | bigint} a BigInt where no double holds it
 */
export function intendedAt(startNs, afterNs) {
  const ns = Number(startNs) + afterNs;
  return Number.isSafeInteger(ns) ? ns : BigInt(startNs) + BigInt(afterNs);
}

/** Nanoseconds since the start within which everything is due. */
export function lastIntended(schedule) {
  return schedule.first_ns + schedule.count * schedule.period_ns;
}
