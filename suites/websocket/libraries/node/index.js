/**
 * Parts that servers of the websocket suite share in Node.js: the protocol, and the end of a
 * server.
 */

export { sayGoodbye } from './src/goodbye.js';
export { joined, messageOf } from './src/messages.js';
