/** The WebSocket server of one process: what happens on a connection. */

import { once } from 'node:events';

import { joined, messageOf } from 'wirelab-websocket';
import { WebSocketServer } from 'ws';

/**
 * @param {import('ws').ServerOptions} options where to listen, and the tuning
 * @param {import('./boards.js').Boards} boards
 * @returns {Promise<WebSocketServer>} that listens
 */
export async function openServer(options, boards) {
  const server = new WebSocketServer({ ...options, path: '/board' });
  server.on('connection', (socket) => serveSocket(socket, boards));
  await once(server, 'listening');
  return server;
}

function serveSocket(socket, boards) {
  socket.on('message', (bytes, isBinary) => {
    const message = messageOf(bytes, isBinary);
    if (message?.type === 'draw') {
      boards.publish(bytes);
    } else if (message?.type === 'join') {
      boards.join(socket, message.board);
      socket.send(joined(message));
    }
  });
  socket.on('close', () => boards.leave(socket));
  // `ws` ends the connection that broke the protocol; the others go on.
  socket.on('error', () => {});
}
