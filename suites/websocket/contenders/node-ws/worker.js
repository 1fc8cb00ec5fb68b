/** A whiteboard server on `ws`: one process, every board in its memory. */

import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';

import { closeServer, openServer } from './server.js';

const COMPRESSION = 'permessage-deflate';

await serve(installedVersion('ws'), async (spec) => {
  const deflate = parameter(spec, 'per_message_deflate', false);
  const fresh = parameter(spec, 'deflate_context', 'kept') === 'fresh';
  const server = await openServer({
    ...listenAddress(spec),
    // Whoever connects without asking for it is spoken to without it.
    perMessageDeflate: deflate && { serverNoContextTakeover: fresh },
    skipUTF8Validation: parameter(spec, 'skip_utf8_validation', false),
    maxPayload: parameter(spec, 'max_payload_bytes', 65_536),
    backlog: parameter(spec, 'backlog', 4096),
  });
  const { address, port } = server.address();
  return {
    endpoint: `ws://${address}:${port}/board`,
    facts: { protocol: 'json', ...(deflate && { compression: COMPRESSION }) },
    close: () => closeServer(server),
  };
});
