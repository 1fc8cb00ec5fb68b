/** A whiteboard server on Socket.IO: one process, a room for each board. */

import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';

import { closeServer, openServer } from './server.js';

await serve(installedVersion('socket.io'), async (spec) => {
  const listen = { ...listenAddress(spec), backlog: parameter(spec, 'backlog', 4096) };
  const server = await openServer(listen, {
    perMessageDeflate: parameter(spec, 'per_message_deflate', false),
    maxHttpBufferSize: parameter(spec, 'max_payload_bytes', 65_536),
  });
  const { address, port } = server.httpServer.address();
  return {
    endpoint: `ws://${address}:${port}/socket.io/?EIO=4&transport=websocket`,
    facts: { protocol: 'socket.io' },
    close: () => closeServer(server),
  };
});
