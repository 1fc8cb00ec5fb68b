/** node-opcua as a worker. The library prints when it is loaded: it is, once events are out of its reach. */

import { play } from 'wirelab-opcua';
import { installedVersion } from 'wirelab-sdk';

await play(installedVersion('node-opcua-client'), async (spec, nodeLists) => {
  const { NodeOpcua } = await import('./connection.js');
  return new NodeOpcua(spec, nodeLists);
});
