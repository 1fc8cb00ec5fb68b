/** The life of a server worker: spec, ready, runtime once a second, stop, done. */

import { setTimeout as sleep } from 'node:timers/promises';

import { Commands } from './commands.js';
import { EventStream, keepStandardOutput, monotonicNs } from './events.js';
import { createFiles, NOTHING_RECORDED } from './files.js';
import { RuntimeProbe, combined } from './runtime.js';
import { specOf } from './spec.js';

const NS_PER_MS = 1e6;
const SECOND_MS = 1000;

/**
 * @typedef {object} Server what `open` gives back
 * @property {string} endpoint the address that the server really got
 * @property {Record<string, unknown>} [facts] for later roles and the verifier
 * @property {() => unknown} close ends every connection
 * @property {() => import('./runtime.js').Reading[]} [others] last readings of its other processes
 */

/**
 * Serve until the core says `stop`, then end the process. Call it once, as the last thing.
 *
 * Exit codes: 0 after `done`; 1 when `open` or the server failed; 2 when the spec cannot be used.
 * @param {{ name: string, version: string }} library
 * @param {(spec: import('./spec.js').Spec, events: EventStream) => Promise<Server>} open
 */
export async function serve(library, open) {
  keepStandardOutput();
  const spec = usableSpec();
  const events = new EventStream();
  process.on('uncaughtException', (why) => giveUp(events, why));
  const { stopped } = new Commands(process.stdin);
  const probe = new RuntimeProbe();
  try {
    createFiles(spec.paths);
    const server = await Promise.race([open(spec, events), stopped]);
    // The core may change its mind before a slow server is open.
    if (server) await serveUntilStopped(server, { spec, events, library, probe, stopped });
    events.emit('runtime', readingOf(probe, server));
    events.emit('done', NOTHING_RECORDED);
  } catch (why) {
    giveUp(events, why);
  }
  // Timers and sockets that a library keeps must not delay the end.
  process.exit(0);
}

/** The spec of this process; says what is wrong with it and ends with 2 otherwise. */
export function usableSpec() {
  try {
    return specOf();
  } catch (error) {
    console.error(`wirelab-sdk: ${error.message}`);
    return process.exit(2);
  }
}

async function serveUntilStopped(server, { spec, events, library, probe, stopped }) {
  events.emit('ready', {
    contract: spec.contract,
    monotonic_ns: monotonicNs(),
    library,
    runtime: { name: 'Node.js', version: process.versions.node },
    endpoint: server.endpoint,
    facts: server.facts ?? {},
  });
  const reporting = setInterval(
    () => events.emit('runtime', readingOf(probe, server)),
    SECOND_MS,
  );
  await stopped;
  clearInterval(reporting);
  await closed(server, spec.limits.stop_ns / NS_PER_MS / 2);
}

/** Half of the limit is the server's, the rest is for leaving. */
export async function closed(server, limitMs) {
  const late = sleep(limitMs, 'late', { ref: false });
  if ((await Promise.race([closing(server), late])) === 'late') {
    console.error('wirelab-sdk: still closing at half of the limit: left as it is');
  }
}

/**
 * Close what may fail at it: what was measured is whole by then. Never rejects, so that a failure
 * after its limit harms nobody either.
 * @param {{ close: () => unknown }} one
 */
export async function closing(one) {
  try {
    await one.close();
  } catch (why) {
    console.error('wirelab-sdk: closing failed:', why);
  }
}

/** The runtime's counts; of several processes without times, as a collection stops one alone. */
function readingOf(probe, server) {
  const others = server?.others?.();
  return others ? combined([probe.reading(), ...others]) : probe.report();
}

function giveUp(events, why) {
  console.error(why);
  events.error(why, 'fatal');
  process.exit(1);
}
