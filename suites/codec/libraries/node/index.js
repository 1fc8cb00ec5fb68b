/** The harness of the codec suite: a contender gives codecs to `serveCodec` and is a worker. */

export { withIntegers } from './src/bigints.js';
export { foldNative, foldNumbers, foldText, foldTexts } from './src/folds.js';
export { safeNumber } from './src/integers.js';
export { cut } from './src/streams.js';
export { serveCodec } from './src/worker.js';
