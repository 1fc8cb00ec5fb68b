/** The end of a server. */

import { setTimeout as sleep } from 'node:timers/promises';

const GOING_AWAY = 1001;
const FAREWELL_MS = 500;

/**
 * Say goodbye to everybody; who does not answer is cut off.
 * @param {import('ws').WebSocketServer} server
 */
export async function sayGoodbye(server) {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of server.clients) socket.close(GOING_AWAY);
  await Promise.race([closed, sleep(FAREWELL_MS)]);
  for (const socket of server.clients) socket.terminate();
  await closed;
}
