/** Members of each board in this process, and the Redis channel that joins the processes. */

/** Text frames; the text comes from Redis as bytes, which need no encoding for every receiver. */
const AS_TEXT = { binary: false };
const PREFIX = 'wirelab:board:';

/**
 * @typedef {import('ws').WebSocket} WebSocket
 * @typedef {{ members: Set<WebSocket>, subscribed: Promise<unknown> }} Board
 */

export class Boards {
  /** @type {Map<string, Board>} */
  #boards = new Map();
  /** @type {Map<WebSocket, string>} */
  #boardOf = new Map();
  #publisher;
  #lost = 0;
  #subscriber;

  /**
   * @param {import('ioredis').Redis} publisher
   * @param {import('ioredis').Redis} subscriber
   */
  constructor(publisher, subscriber) {
    this.#publisher = publisher;
    publisher.on('ready', () => this.#sayLost());
    this.#subscriber = subscriber;
    subscriber.on('messageBuffer', (channel, bytes) => {
      this.#send(channel.toString().slice(PREFIX.length), bytes);
    });
  }

  /**
   * Put a connection on a board; it leaves the one it was on.
   *
   * Over when Redis has confirmed that this process gets what is drawn there.
   * @throws when Redis stays away
   */
  async join(socket, name) {
    this.leave(socket);
    const board = this.#boards.get(name) ?? this.#open(name);
    board.members.add(socket);
    this.#boardOf.set(socket, name);
    await board.subscribed;
  }

  /** Take a connection off its board; with the last one goes the subscription. */
  leave(socket) {
    const name = this.#boardOf.get(socket);
    const board = this.#boards.get(name);
    if (!board) return;
    this.#boardOf.delete(socket);
    board.members.delete(socket);
    if (board.members.size > 0) return;
    this.#boards.delete(name);
    // Where this fails there is no connection, and with it went the subscription.
    this.#subscriber.unsubscribe(PREFIX + name).catch(() => {});
  }

  /** Hand a message to every process, this one included, so that all see the same order. */
  publish(name, bytes) {
    this.#publisher.publish(PREFIX + name, bytes).catch(() => {
      this.#lost += 1;
    });
  }

  #open(name) {
    const board = { members: new Set(), subscribed: this.#subscriber.subscribe(PREFIX + name) };
    this.#boards.set(name, board);
    return board;
  }

  #send(name, bytes) {
    for (const member of this.#boards.get(name)?.members ?? []) member.send(bytes, AS_TEXT);
  }

  #sayLost() {
    if (this.#lost > 0) console.error(`lost while Redis was away: ${this.#lost} messages`);
    this.#lost = 0;
  }
}
