/** What clients of the opcua suite share: a contender gives a library to `callOnTicks` and is a worker. */

export { NodeLists } from './src/node-lists.js';
export { callOnTicks } from './src/caller.js';
