/** A whiteboard server on Socket.IO: one process, a room for each board. */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { Server } from 'socket.io';
import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';

await serve(installedVersion('socket.io'), async (spec) => {
  const http = createServer();
  const server = new Server(http, {
    perMessageDeflate: parameter(spec, 'per_message_deflate', false),
    maxHttpBufferSize: parameter(spec, 'max_payload_bytes', 65_536),
    transports: ['websocket'],
    serveClient: false,
  });
  // The request that opened a connection is not needed again and would be held as long as it.
  server.engine.on('connection', (connection) => {
    connection.request = null;
  });
  server.on('connection', (socket) => serveSocket(socket, server));
  http.listen({ ...listenAddress(spec), backlog: parameter(spec, 'backlog', 4096) });
  await once(http, 'listening');
  const { address, port } = http.address();
  return {
    endpoint: `ws://${address}:${port}/socket.io/?EIO=4&transport=websocket`,
    facts: { protocol: 'socket.io' },
    // Disconnects everybody; Socket.IO closes the HTTP server too.
    close: () => server.close(),
  };
});

function serveSocket(socket, server) {
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

/**
 * Guards an action: what can be read but not written again (JSON nested too deep) costs its sender
 * the connection.
 */
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
