/** The harness of the kv suite: a contender gives a store to `readMultiGets` and is a worker. */

export { addressOf } from './src/address.js';
export { readMultiGets } from './src/reads.js';
export { DOUBLES, INTEGERS, unpack } from './src/rows.js';
export { FIELD_NAMES } from './src/user-table.js';
