/** A whiteboard server on Node's own HTTP: events to each member, a request for each draw. */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { listenAddress, parameter, serve } from 'wirelab-sdk';
import { joined, messageOf } from 'wirelab-websocket';

import { Boards } from './boards.js';

const PATH = '/board';
const STREAM = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
const LINE_END = /\r\n|\r|\n/;

await serve({ name: 'Node.js HTTP', version: process.versions.node }, async (spec) => {
  const longest = parameter(spec, 'max_payload_bytes', 65_536);
  const boards = new Boards();
  const server = createServer((request, response) => {
    const [path, query] = request.url.split('?', 2);
    if (path !== PATH) answer(response, 404);
    else if (request.method === 'GET') listen(response, new URLSearchParams(query), boards);
    else if (request.method === 'POST') draw(request, response, boards, longest);
    else answer(response, 405);
  });
  server.listen({ ...listenAddress(spec), backlog: parameter(spec, 'backlog', 4096) });
  await once(server, 'listening');
  const { address, port } = server.address();
  return {
    endpoint: `http://${address}:${port}${PATH}`,
    facts: { protocol: 'sse' },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
});

/** Put whoever asks for a board's events on that board, for as long as the response lasts. */
function listen(response, asked, boards) {
  const [board, user] = [asked.get('board'), Number(asked.get('user') ?? NaN)];
  if (!board || !Number.isInteger(user)) {
    answer(response, 400);
    return;
  }
  response.writeHead(200, STREAM);
  boards.enter(response, board);
  response.on('close', () => boards.leave(response, board));
  // A write to one that has just gone.
  response.on('error', () => {});
  response.write(eventOf(joined({ board, user })));
}

/** Give a draw to its board; what is none, or too long, is refused. */
function draw(request, response, boards, longest) {
  const parts = [];
  let length = 0;
  request.on('data', (part) => {
    length += part.length;
    if (length <= longest) parts.push(part);
    else request.destroy();
  });
  request.on('end', () => {
    const bytes = Buffer.concat(parts);
    const message = messageOf(bytes);
    const isDraw = message?.type === 'draw';
    if (isDraw) boards.send(message.board, eventOf(bytes.toString()));
    answer(response, isDraw ? 204 : 400);
  });
  // Who has gone gets no answer.
  request.on('error', () => {});
}

/** A text as an event, with a field for each of its lines; written once for all members. */
function eventOf(text) {
  const fields = text.split(LINE_END).map((line) => `data: ${line}\n`);
  return Buffer.from(`${fields.join('')}\n`);
}

function answer(response, status) {
  response.writeHead(status).end();
}
