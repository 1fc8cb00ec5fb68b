/**
 * Parts of the SDK of the worker contract that this harness takes.
 *
 * The SDK's index has what servers and clients need; a microbenchmark loads neither. Its parts are
 * taken by their files: the build puts the SDK beside this package.
 */

export { described, repeatBatches } from '../../wirelab-sdk/src/batch-worker.js';
export { monotonicNs } from '../../wirelab-sdk/src/events.js';
