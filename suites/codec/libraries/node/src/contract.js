/**
 * What this harness takes from the SDK of the worker contract.
 *
 * The SDK's index has what a server needs, and a worker of batches needs parts below it. They are
 * taken by their files: the build puts the SDK beside this package.
 */

export {
  EventStream,
  keepStandardOutput,
  monotonicNs,
} from '../../wirelab-sdk/src/events.js';
export { createFiles } from '../../wirelab-sdk/src/files.js';
export { RuntimeProbe } from '../../wirelab-sdk/src/runtime.js';
export { usableSpec } from '../../wirelab-sdk/src/server.js';
export { CONTRACT, SpecError } from '../../wirelab-sdk/src/spec.js';
