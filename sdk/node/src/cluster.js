/** A server of several processes (node:cluster): the primary keeps the contract for all. */

import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { RuntimeProbe } from './runtime.js';
import { closed, serve, usableSpec } from './server.js';
import { parameter } from './spec.js';

const SECOND_MS = 1000;
const NS_PER_MS = 1e6;
const FEWEST = 2;

/** A cluster worker could not open its server, or went away. */
class ClusterWorkerError extends Error {
  name = 'ClusterWorkerError';
}

/**
 * Serves as `serve` does, but `open` runs in each of several workers, which listen on one port.
 *
 * How many is the parameter `workers`; 0 means one a usable processor, but not below two. The
 * server is ready when all of them are. They end with the primary: Node ends a worker that
 * has lost it.
 * @param {{ name: string, version: string }} library
 * @param {(spec: import('./spec.js').Spec) => Promise<import('./server.js').Server>} open
 */
export function serveCluster(library, open) {
  return cluster.isPrimary ? serve(library, openWorkers) : work(open);
}

// ------------------------------------------------------------------------ primary

async function openWorkers(spec, events) {
  // Standard output is for events, and standard input is the primary's.
  cluster.setupPrimary({ stdio: ['ignore', 2, 2, 'ipc'] });
  const count = workerCount(parameter(spec, 'workers', 0));
  const opened = await Promise.all(Array.from({ length: count }, startWorker));
  const { endpoint, facts } = opened[0];
  for (const other of opened) checkSame(endpoint, other.endpoint);

  const replace = async (worker, code, signal) => {
    forgetHeap(worker);
    const how = signal ?? `exit code ${code}`;
    events.error(new ClusterWorkerError(`worker ${worker.process.pid} ended: ${how}; replaced`));
    // One that cannot even start ends the server, so there is no endless replacing.
    checkSame(endpoint, (await startWorker()).endpoint);
  };
  cluster.on('exit', replace);
  const close = () => {
    cluster.off('exit', replace);
    return endWorkers(spec.limits.stop_ns / NS_PER_MS / 4);
  };
  return { endpoint, facts: { ...facts, workers: count }, close, others: readings };
}

/** @param {number} asked */
export function workerCount(asked) {
  return asked > 0 ? asked : Math.max(FEWEST, availableParallelism());
}

const lastReadings = new Map();

function readings() {
  return [...lastReadings.values()];
}

/** Keeps in the sums what a worker collected until it ended; its heap is gone. */
function forgetHeap(worker) {
  const last = lastReadings.get(worker.id);
  if (last) lastReadings.set(worker.id, { ...last, heap_bytes: 0, loop_lag_ns: 0 });
}

function startWorker() {
  return new Promise((resolve, reject) => {
    const worker = cluster.fork();
    const ended = (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      reject(new ClusterWorkerError(`worker ${worker.process.pid} ended before ready: ${how}`));
    };
    worker.on('exit', ended);
    worker.on('message', (message) => {
      if (message.reading) lastReadings.set(worker.id, message.reading);
      if (message.failed) reject(new ClusterWorkerError(message.failed));
      if (message.opened) {
        worker.off('exit', ended);
        resolve(message.opened);
      }
    });
  });
}

function checkSame(endpoint, other) {
  if (endpoint !== other) {
    throw new ClusterWorkerError(`workers listen on ${endpoint} and on ${other}`);
  }
}

async function endWorkers(patienceMs) {
  const workers = Object.values(cluster.workers ?? {});
  const ends = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  for (const worker of workers) worker.send('stop', () => {});
  const late = sleep(patienceMs, 'late', { ref: false });
  if ((await Promise.race([Promise.all(ends), late])) === 'late') {
    for (const worker of workers) worker.process.kill('SIGKILL');
    await Promise.all(ends);
  }
}

// ------------------------------------------------------------------------- worker

async function work(open) {
  const spec = usableSpec();
  const probe = new RuntimeProbe();
  const tell = (message) => new Promise((resolve) => process.send(message, resolve));
  const fail = async (why) => {
    console.error(why);
    await tell({ failed: `${why?.name ?? 'error'}: ${why?.message ?? why}` });
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  /** @type {Promise<void>} */
  const stopped = new Promise((resolve) => {
    process.on('message', (message) => message === 'stop' && resolve());
  });
  try {
    const server = await open(spec);
    await tell({ reading: probe.reading() });
    await tell({ opened: { endpoint: server.endpoint, facts: server.facts ?? {} } });
    setInterval(() => tell({ reading: probe.reading() }), SECOND_MS);
    await stopped;
    await closed(server, spec.limits.stop_ns / NS_PER_MS / 5);
    await tell({ reading: probe.reading() });
    process.exit(0);
  } catch (why) {
    await fail(why);
  }
}
