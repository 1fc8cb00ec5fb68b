/** The WebSocket server of one process: what happens on a connection. */

import { once } from 'node:events';

import { joined, messageOf } from 'wirelab-websocket';
import { WebSocketServer } from 'ws';

const TRY_AGAIN_LATER = 1013;

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
    if (message?.type === 'draw') boards.publish(message.board, bytes);
    else if (message?.type === 'join') join(socket, boards, message);
  });
  socket.on('close', () => boards.leave(socket));
  // `ws` ends the connection that broke the protocol; the others go on.
  socket.on('error', () => {});
}

async function join(socket, boards, message) {
  try {
    await boards.join(socket, message.board);
    socket.send(joined(message));
  } catch (error) {
    console.error(`cannot join ${message.board}: ${error.message}`);
    socket.close(TRY_AGAIN_LATER);
  }
}
