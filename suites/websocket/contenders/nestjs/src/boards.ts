import { Injectable } from '@nestjs/common';
import type { WebSocket } from 'ws';

/** Text frames; encoded once, so that no receiver costs an encoding. */
const AS_TEXT = { binary: false };

/** Members of each board. */
@Injectable()
export class Boards {
  private readonly members = new Map<string, Set<WebSocket>>();
  private readonly boardOf = new Map<WebSocket, string>();

  /** Put a connection on a board; it leaves the one it was on. */
  join(socket: WebSocket, board: string): void {
    this.leave(socket);
    const members = this.members.get(board);
    if (members) members.add(socket);
    else this.members.set(board, new Set([socket]));
    this.boardOf.set(socket, board);
  }

  /** Take a connection off its board; a board without members is forgotten. */
  leave(socket: WebSocket): void {
    const board = this.boardOf.get(socket);
    if (board === undefined) return;
    this.boardOf.delete(socket);
    const members = this.members.get(board);
    members?.delete(socket);
    if (members?.size === 0) this.members.delete(board);
  }

  /** Send the same text to every member; one that is closing is passed over by `ws`. */
  send(board: string, text: string): void {
    const bytes = Buffer.from(text);
    for (const member of this.members.get(board) ?? []) member.send(bytes, AS_TEXT);
  }
}
