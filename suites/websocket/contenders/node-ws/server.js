/** The WebSocket server: what happens on a connection. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { WebSocketServer } from 'ws';

import { Boards } from './boards.js';
import { joined, messageOf } from './messages.js';

const GOING_AWAY = 1001;
const FAREWELL_MS = 500;

/**
 * @param {import('ws').ServerOptions} options where to listen, and the tuning
 * @returns {Promise<WebSocketServer>} that listens
 */
export async function openServer(options) {
  const server = new WebSocketServer({ ...options, path: '/board' });
  const boards = new Boards();
  server.on('connection', (socket) => attend(socket, boards));
  await once(server, 'listening');
  return server;
}

function attend(socket, boards) {
  socket.on('message', (bytes, isBinary) => {
    const message = messageOf(bytes, isBinary);
    if (message?.type === 'draw') {
      boards.send(message.board, bytes);
    } else if (message?.type === 'join') {
      boards.join(socket, message.board);
      socket.send(joined(message));
    }
  });
  socket.on('close', () => boards.leave(socket));
  // `ws` ends the connection that broke the protocol; the others go on.
  socket.on('error', () => {});
}

/** Say goodbye to everybody; who does not answer is cut off. */
export async function closeServer(server) {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of server.clients) socket.close(GOING_AWAY);
  await Promise.race([closed, sleep(FAREWELL_MS)]);
  for (const socket of server.clients) socket.terminate();
  await closed;
}
