/** A whiteboard server on `@grpc/grpc-js`: a call of each member, whose messages go both ways. */

import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';
import { joined, messageOf } from 'wirelab-websocket';

import { Boards } from './boards.js';

const PROTO = fileURLToPath(new URL('whiteboard.proto', import.meta.url));
const { Draw } = loadSync(PROTO)['wirelab.whiteboard.Whiteboard'];

/** The method with what it reads and writes as bytes: a draw goes on as it came, encoded once. */
const SERVICE = {
  Draw: {
    ...Draw,
    requestDeserialize: (bytes) => ({ bytes, text: Draw.requestDeserialize(bytes).value }),
    responseSerialize: (bytes) => bytes,
  },
};

await serve(installedVersion('@grpc/grpc-js'), async (spec) => {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': parameter(spec, 'max_payload_bytes', 65_536),
  });
  const boards = new Boards();
  server.addService(SERVICE, { Draw: (call) => serveCall(call, boards) });
  const { host, port } = listenAddress(spec);
  const bind = promisify(server.bindAsync.bind(server));
  const bound = await bind(`${host}:${port}`, grpc.ServerCredentials.createInsecure());
  return {
    endpoint: `http://${host}:${bound}`,
    facts: { protocol: 'grpc' },
    close: () => server.forceShutdown(),
  };
});

function serveCall(call, boards) {
  call.on('data', ({ bytes, text }) => {
    const message = messageOf(text);
    if (message?.type === 'draw') {
      boards.send(message.board, bytes);
    } else if (message?.type === 'join') {
      boards.join(call, message.board);
      call.write(Draw.responseSerialize({ value: joined(message) }));
    }
  });
  call.on('end', () => call.end());
  for (const over of ['end', 'cancelled', 'close']) call.on(over, () => boards.leave(call));
  // The call that broke the protocol ends; the others go on.
  call.on('error', () => boards.leave(call));
}
