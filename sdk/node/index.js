/** The Node.js SDK of the worker contract: what a server's process needs besides its library. */

export { serveCluster } from './src/cluster.js';
export { serve } from './src/server.js';
export { listenAddress, parameter, SpecError } from './src/spec.js';
export { installedVersion } from './src/versions.js';
