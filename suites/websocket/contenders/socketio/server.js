/** The Socket.IO server: what happens on a connection. */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { Server } from 'socket.io';

/**
 * @param {import('node:net').ListenOptions} address
 * @param {Partial<import('socket.io').ServerOptions>} tuning
 * @returns {Promise<Server>} that listens
 */
export async function openServer(address, tuning) {
  const http = createServer();
  const server = new Server(http, { ...tuning, transports: ['websocket'], serveClient: false });
  // The request that opened a connection is not needed again and would be held as long as it.
  server.engine.on('connection', (connection) => {
    connection.request = null;
  });
  server.on('connection', (socket) => attend(socket, server));
  http.listen(address);
  await once(http, 'listening');
  return server;
}

function attend(socket, server) {
  const on = (event, act) => socket.on(event, guarded(socket, act));
  on('join', (message, acknowledge) => {
    if (!isMessage(message) || typeof acknowledge !== 'function') return;
    leaveBoards(socket);
    socket.join(message.board);
    acknowledge({ type: 'joined', board: message.board, user: message.user });
  });
  on('draw', (message) => {
    if (isMessage(message)) server.to(message.board).emit('draw', message);
  });
}

/** What can be read but not written again (JSON nested too deep) costs its sender the connection. */
function guarded(socket, act) {
  return (...values) => {
    try {
      act(...values);
    } catch (error) {
      console.error(`cannot serve a message: ${error.message}`);
      socket.disconnect(true);
    }
  };
}

function isMessage(message) {
  return typeof message?.board === 'string' && Number.isInteger(message.user);
}

/** A connection is on one board; the room of its own id is how Socket.IO addresses it alone. */
function leaveBoards(socket) {
  for (const room of socket.rooms) {
    if (room !== socket.id) socket.leave(room);
  }
}

/** Disconnect everybody; Socket.IO closes the HTTP server too. */
export function closeServer(server) {
  return server.close();
}
