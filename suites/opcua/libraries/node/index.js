/**
 * Parts that clients of the opcua suite share: a contender gives a library to `play` and is a
 * worker.
 */

export { NodeLists } from './src/node-lists.js';
export { play } from './src/client.js';
