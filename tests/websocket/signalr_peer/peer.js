/**
 * A member of a board on SignalR's own client: says what comes, one JSON value a line, and draws
 * what its input says. Arguments: endpoint, board, user, and `negotiate` or `skip`.
 */

import { createInterface } from 'node:readline';

import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';

const [endpoint, board, user, negotiation] = process.argv.slice(2);
const say = (value) => console.log(JSON.stringify(value));

const connection = new HubConnectionBuilder()
  .withUrl(endpoint.replace('ws:', 'http:'), {
    skipNegotiation: negotiation === 'skip',
    transport: HttpTransportType.WebSockets,
  })
  .configureLogging(LogLevel.None)
  .build();
connection.on('Draw', say);
connection.onclose((error) => {
  say({ closed: error?.message ?? '' });
  process.exit();
});
await connection.start();
say(await connection.invoke('Join', { type: 'join', board, user: Number(user) }));
for await (const line of createInterface({ input: process.stdin })) {
  await connection.send('Draw', JSON.parse(line));
}
await connection.stop();
