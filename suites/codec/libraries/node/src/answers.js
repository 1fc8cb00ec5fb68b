/** Calls whose failure is an answer, too. */

import { described, monotonicNs } from './sdk.js';

/**
 * Call something and say when; what it throws is said too.
 * @template Result
 * @param {() => Result} call
 * @returns {{ times: { start_ns: number, end_ns: number }, result?: Result,
 *   failed?: { error: { class: string, message: string } } }}
 */
export function timed(call) {
  const start_ns = monotonicNs();
  try {
    const result = call();
    return { times: { start_ns, end_ns: monotonicNs() }, result };
  } catch (why) {
    return { times: { start_ns, end_ns: monotonicNs() }, failed: { error: described(why) } };
  }
}
