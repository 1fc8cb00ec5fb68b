import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';

import { Boards } from './boards.js';
import type { Said } from './messages.js';

/** Message that a joiner is told; the adapter sends what a handler gives back. */
interface Joined {
  type: 'joined';
  board: string;
  user: number;
}

// A draw message is some hundred bytes; the default of 100 MiB invites trouble.
@WebSocketGateway({ path: '/board', perMessageDeflate: false, maxPayload: 64 * 1024 })
export class BoardGateway implements OnGatewayDisconnect<WebSocket> {
  constructor(private readonly boards: Boards) {}

  @SubscribeMessage('join')
  join(@ConnectedSocket() socket: WebSocket, @MessageBody() { board, user }: Said): Joined {
    this.boards.join(socket, board);
    return { type: 'joined', board, user };
  }

  @SubscribeMessage('draw')
  draw(@MessageBody() { board, text }: Said): void {
    this.boards.send(board, text);
  }

  handleDisconnect(socket: WebSocket): void {
    this.boards.leave(socket);
  }
}
