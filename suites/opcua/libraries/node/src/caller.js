/** A client on ticks: one session, and in some scenarios further ones beside it. */

import { Status } from 'wirelab-sdk';

import { sequenceOf } from './node-lists.js';
import { outcomeOfRead, outcomeOfWrite } from './results.js';
import { Watch } from './watch.js';

export const CAPABILITIES = [
  'security',
  'subscriptions',
  'auto-reconnect',
  'async',
  'node-list',
  'lanes',
];

export class Caller {
  capabilities = CAPABILITIES;
  #library;
  #nodeLists;
  /** @type {Watch | undefined} */
  #watch;
  /** @type {import('./client.js').Session | undefined} */
  #session;
  /** An attempt under way: two at a time would be two sessions. */
  #opening;
  #closing = Promise.resolve();

  constructor(spec, library, nodeLists) {
    this.#library = library;
    this.#nodeLists = nodeLists;
    if (nodeLists.watched.length > 0) this.#watch = new Watch(spec, nodeLists);
  }

  open() {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open() {
    await this.#library.prepare();
    this.#session = await this.#library.open();
    await this.#watch?.begin(this.#session);
  }

  failed(why) {
    return this.#library.failed(why);
  }

  actions(turn) {
    if (this.#session === undefined) return { connect: () => this.#connect() };
    const session = this.#session;
    const sequence = sequenceOf(turn);
    const send = session.writing(sequence);
    return {
      read: async () => outcomeOfRead(this.#nodeLists, await session.read()),
      write: async () => outcomeOfWrite(this.#nodeLists, await send(), sequence),
      session: () => this.#openFurther(),
      ...this.#watching(turn),
    };
  }

  #watching(turn) {
    const watch = this.#watch;
    if (watch === undefined) return {};
    const watching = () => watch.outcome(turn);
    return { notification: watching, poll: watching };
  }

  async #connect() {
    await this.open();
    return { status: Status.OK, answer: () => ({ connected: true }) };
  }

  /** One more session, once the last one is closed; it is closed in nobody's time. */
  async #openFurther() {
    await this.#closing;
    const session = await this.#library.open();
    this.#closing = session.close().catch((why) => console.error('leaving failed:', why));
    return { status: Status.OK, answer: () => ({ opened: true }) };
  }

  async close() {
    this.#watch?.end();
    await this.#closing;
    await this.#session?.close();
  }
}
