/** The Node.js SDK of the worker contract: what a process needs besides its library. */

export { drive } from './src/client.js';
export { serveCluster } from './src/cluster.js';
export { serve } from './src/server.js';
export { listenAddress, parameter, SpecError } from './src/spec.js';
export { networkStatus, Status, WrongAnswer } from './src/status.js';
export { installedVersion } from './src/versions.js';
