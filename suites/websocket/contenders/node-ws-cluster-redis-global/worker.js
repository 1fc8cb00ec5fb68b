/** A whiteboard server of several `ws` processes, joined by one Redis channel for all boards. */

import { installedVersion, listenAddress, parameter, serveCluster } from 'wirelab-sdk';
import { sayGoodbye } from 'wirelab-websocket';
import { connectPublisher, connectSubscriber } from 'wirelab-websocket-redis';

import { Boards } from './boards.js';
import { openServer } from './server.js';

await serveCluster(installedVersion('ws'), async (spec) => {
  // Two of them: one that is subscribed is kept for that.
  const subscriber = await connectSubscriber(spec);
  const publisher = await connectPublisher(spec);
  const boards = await Boards.open(publisher, subscriber);
  const options = {
    ...listenAddress(spec),
    perMessageDeflate: parameter(spec, 'per_message_deflate', false),
    skipUTF8Validation: parameter(spec, 'skip_utf8_validation', false),
    maxPayload: parameter(spec, 'max_payload_bytes', 65_536),
    backlog: parameter(spec, 'backlog', 4096),
  };
  const server = await openServer(options, boards);
  const { address, port } = server.address();
  return {
    endpoint: `ws://${address}:${port}/board`,
    facts: { protocol: 'json' },
    close: async () => {
      await sayGoodbye(server);
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
});
