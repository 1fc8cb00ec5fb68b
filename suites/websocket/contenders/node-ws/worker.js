/** A whiteboard server on `ws`: one process, every board in its memory. */

import { once } from 'node:events';

import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';
import { joined, messageOf, sayGoodbye } from 'wirelab-websocket';
import { WebSocketServer } from 'ws';

import { Boards } from './boards.js';
import { Sampling, watchLoop } from './sampling.js';

const COMPRESSION = 'permessage-deflate';

/** Status for whoever comes when as many are connected as may be: come back later. */
const FULL = 503;

/** Forms in which a draw is handed to `ws`: the bytes as they came, or a string of them. */
const FORMS = { bytes: (bytes) => bytes, text: (bytes) => bytes.toString() };

await serve(installedVersion('ws'), async (spec) => {
  await checkMasks(parameter(spec, 'native_masks', false));
  const form = FORMS[parameter(spec, 'send_as', 'bytes')];
  if (!form) throw new Error(`send_as: expected one of ${Object.keys(FORMS).join(', ')}`);
  const deflate = parameter(spec, 'per_message_deflate', false);
  const fresh = parameter(spec, 'deflate_context', 'kept') === 'fresh';
  const most = parameter(spec, 'max_connections', 0);
  const server = new WebSocketServer({
    ...listenAddress(spec),
    path: '/board',
    // Whoever connects without asking for it is spoken to without it.
    perMessageDeflate: deflate && { serverNoContextTakeover: fresh },
    skipUTF8Validation: parameter(spec, 'skip_utf8_validation', false),
    maxPayload: parameter(spec, 'max_payload_bytes', 65_536),
    backlog: parameter(spec, 'backlog', 4096),
    verifyClient: most > 0 ? (_, decide) => decide(server.clients.size < most, FULL) : undefined,
  });
  const boards = new Boards();
  const perSecond = parameter(spec, 'strokes_per_second', 0);
  const lagMs = parameter(spec, 'overload_lag_ms', 0);
  const isBehind = lagMs > 0 ? watchLoop(lagMs) : undefined;
  const sampling = perSecond > 0 ? new Sampling(boards, perSecond, isBehind) : undefined;
  const draw = (socket, message, bytes) => {
    if (sampling) sampling.send(socket, message, bytes);
    else boards.send(message.board, form(bytes));
  };
  server.on('connection', (socket) => serveSocket(socket, boards, draw));
  await once(server, 'listening');
  const { address, port } = server.address();
  return {
    endpoint: `ws://${address}:${port}/board`,
    facts: { protocol: 'json', ...(deflate && { compression: COMPRESSION }) },
    close: () => sayGoodbye(server),
  };
});

function serveSocket(socket, boards, draw) {
  socket.on('message', (bytes, isBinary) => {
    const message = messageOf(bytes, isBinary);
    if (message?.type === 'draw') {
      draw(socket, message, bytes);
    } else if (message?.type === 'join') {
      boards.join(socket, message.board);
      socket.send(joined(message));
    }
  });
  socket.on('close', () => boards.leave(socket));
  // `ws` ends the connection that broke the protocol; the others go on.
  socket.on('error', () => {});
}

/**
 * `ws` takes bufferutil where it finds it, and bufferutil its own JavaScript where it was not
 * compiled for this machine.
 * @throws where masks are taken off in another way than asked for
 */
async function checkMasks(native) {
  const found = await import('bufferutil').catch(() => undefined);
  const plain = found && (await import('bufferutil/fallback.js'));
  const isNative = found !== undefined && found.default.unmask !== plain.default.unmask;
  if (isNative !== native) {
    throw new Error(`native_masks is ${native}, but bufferutil says ${isNative}`);
  }
}
