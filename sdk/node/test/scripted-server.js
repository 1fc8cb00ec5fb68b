/** A server whose behaviour the parameter `script` decides, run as a process by the tests. */

import cluster from 'node:cluster';
import { createServer } from 'node:net';

import { listenAddress, parameter, serve, serveCluster } from '../index.js';

const LIBRARY = { name: 'scripted', version: '1.2.3' };

const scripts = {
  async chatters(server) {
    console.log('a library that prints');
    process.stdout.write('and one that writes\n');
    return server;
  },
  async refuses() {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  },
  opensNever: () => new Promise(() => {}),
  async throwsLater(server) {
    setTimeout(() => {
      throw new TypeError('later');
    }, 20);
    return server;
  },
  async closesNever(server) {
    return { ...server, close: () => new Promise(() => {}) };
  },
  async closesBadly(server) {
    return { ...server, close: () => Promise.reject(new Error('not open any more')) };
  },
};

async function open(spec, events) {
  const script = parameter(spec, 'script', '');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end(`${process.pid}\n`));
  });
  await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(listenAddress(spec), resolve);
  });
  const { port } = server.address();
  const opened = {
    endpoint: `tcp://127.0.0.1:${port}`,
    facts: { script },
    close: () => server.close(),
  };
  if (script === 'floods') {
    for (let i = 0; i < 1000; i += 1) events.emit('progress', { records: i, pad: 'x'.repeat(999) });
  }
  return script in scripts ? scripts[script](opened) : opened;
}

if (process.argv[2] === 'cluster') await serveCluster(LIBRARY, open);
else await serve(LIBRARY, open);
if (cluster.isPrimary) console.error('serve came back');
