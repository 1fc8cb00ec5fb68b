/** A whiteboard server on NestJS: a gateway on the `ws` adapter, boards in its memory. */

import 'reflect-metadata';

import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NestFactory } from '@nestjs/core';
import { WsAdapter } from '@nestjs/platform-ws';
import { installedVersion, listenAddress, parameter, serve } from 'wirelab-sdk';

import { BoardModule } from './board.module.js';
import { messageOf } from './messages.js';

await serve(installedVersion('@nestjs/core'), async (spec) => {
  const app = await NestFactory.create(BoardModule, {
    logger: ['warn', 'error'],
    bodyParser: false,
    abortOnError: false,
  });
  app.useWebSocketAdapter(new WsAdapter(app, { messageParser: messageOf }));
  // In place of `app.listen`, which knows no backlog.
  await app.init();
  const http: HttpServer = app.getHttpServer();
  http.listen({ ...listenAddress(spec), backlog: parameter(spec, 'backlog', 4096) });
  await once(http, 'listening');
  const { address, port } = http.address() as AddressInfo;
  return {
    endpoint: `ws://${address}:${port}/board`,
    facts: { protocol: 'json' },
    close: () => app.close(),
  };
});
