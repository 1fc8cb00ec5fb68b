/** What clients of the opcua suite share: a contender gives a library to `callOnTicks` and is a worker. */

export { Batches } from './src/batches.js';
export { callOnTicks } from './src/caller.js';
