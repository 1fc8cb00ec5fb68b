/** Members of each board in this process, and the one Redis channel that joins the processes. */

import { messageOf } from 'wirelab-websocket';

/** Text frames; the text comes from Redis as bytes, which need no encoding for every receiver. */
const AS_TEXT = { binary: false };
const CHANNEL = 'wirelab:boards';

/** @typedef {import('ws').WebSocket} WebSocket */

export class Boards {
  /** @type {Map<string, Set<WebSocket>>} */
  #members = new Map();
  /** @type {Map<WebSocket, string>} */
  #boardOf = new Map();
  #publisher;
  #lost = 0;

  /**
   * @param {import('ioredis').Redis} publisher
   * @param {import('ioredis').Redis} subscriber
   */
  static async open(publisher, subscriber) {
    const boards = new Boards(publisher);
    // Every process gets every message, and reads from it whether it is concerned.
    subscriber.on('messageBuffer', (_, bytes) => boards.#send(messageOf(bytes)?.board, bytes));
    await subscriber.subscribe(CHANNEL);
    return boards;
  }

  /** @private use `open` */
  constructor(publisher) {
    this.#publisher = publisher;
    publisher.on('ready', () => this.#sayLost());
  }

  /** Put a connection on a board; it leaves the one it was on. */
  join(socket, board) {
    this.leave(socket);
    const members = this.#members.get(board);
    if (members) members.add(socket);
    else this.#members.set(board, new Set([socket]));
    this.#boardOf.set(socket, board);
  }

  /** Take a connection off its board; a board without members is forgotten. */
  leave(socket) {
    const board = this.#boardOf.get(socket);
    const members = this.#members.get(board);
    if (!members) return;
    this.#boardOf.delete(socket);
    members.delete(socket);
    if (members.size === 0) this.#members.delete(board);
  }

  /** Hand a message to every process, this one included, so that all see the same order. */
  publish(bytes) {
    this.#publisher.publish(CHANNEL, bytes).catch(() => {
      this.#lost += 1;
    });
  }

  #send(board, bytes) {
    for (const member of this.#members.get(board) ?? []) member.send(bytes, AS_TEXT);
  }

  #sayLost() {
    if (this.#lost > 0) console.error(`lost while Redis was away: ${this.#lost} messages`);
    this.#lost = 0;
  }
}
