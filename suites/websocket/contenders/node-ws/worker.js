/** A whiteboard server on `ws`: one process, every board in its memory. */

import { once } from 'node:events';

import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';
import { joined, messageOf, sayGoodbye } from 'wirelab-websocket';
import { WebSocketServer } from 'ws';

import { Boards } from './boards.js';

const COMPRESSION = 'permessage-deflate';

await serve(installedVersion('ws'), async (spec) => {
  const deflate = parameter(spec, 'per_message_deflate', false);
  const fresh = parameter(spec, 'deflate_context', 'kept') === 'fresh';
  const server = new WebSocketServer({
    ...listenAddress(spec),
    path: '/board',
    // Whoever connects without asking for it is spoken to without it.
    perMessageDeflate: deflate && { serverNoContextTakeover: fresh },
    skipUTF8Validation: parameter(spec, 'skip_utf8_validation', false),
    maxPayload: parameter(spec, 'max_payload_bytes', 65_536),
    backlog: parameter(spec, 'backlog', 4096),
  });
  const boards = new Boards();
  server.on('connection', (socket) => serveSocket(socket, boards));
  await once(server, 'listening');
  const { address, port } = server.address();
  return {
    endpoint: `ws://${address}:${port}/board`,
    facts: { protocol: 'json', ...(deflate && { compression: COMPRESSION }) },
    close: () => sayGoodbye(server),
  };
});

function serveSocket(socket, boards) {
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
