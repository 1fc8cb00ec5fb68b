/** A client on ticks: one session, and in some scenarios further ones beside it. */

import { driveTicks, Status } from 'wirelab-sdk';

import { NodeLists, sequenceOf } from './node-lists.js';
import { outcomeOfRead, outcomeOfWrite } from './results.js';

const CAPABILITIES = ['security', 'auto-reconnect', 'async', 'node-list'];

/**
 * @typedef {import('./results.js').Results} Results
 *
 * @typedef {object} Session one session with the server, over a channel of its own
 * @property {() => Promise<Results>} read attribute Value of all nodes, with source timestamps
 * @property {(sequence: number) => () => Promise<Results>} writing prepares a write; what it gives
 *   sends it
 * @property {() => Promise<unknown>} close leaves the server
 *
 * @typedef {object} OpcUaLibrary a client library under test
 * @property {() => Promise<unknown>} prepare makes ready what opening a session needs
 * @property {() => Promise<Session>} open opens a session, which the library keeps up where it can
 * @property {(why: any) => { status: number, error: Error }} failed how a failure of the library
 *   is recorded, and said in its words
 */

/**
 * Be the worker of a contender. Call it once, as the last thing.
 * @param {{ name: string, version: string }} library
 * @param {(spec: any, nodeLists: NodeLists) => OpcUaLibrary | Promise<OpcUaLibrary>} make
 */
export function callOnTicks(library, make) {
  return driveTicks(library, async (spec) => {
    const nodeLists = new NodeLists(spec);
    return new Caller(await make(spec, nodeLists), nodeLists);
  });
}

class Caller {
  capabilities = CAPABILITIES;
  #library;
  #nodeLists;
  /** @type {Session | undefined} */
  #session;
  /** An attempt under way: two at a time would be two sessions. */
  #opening;
  #closing = Promise.resolve();

  constructor(library, nodeLists) {
    this.#library = library;
    this.#nodeLists = nodeLists;
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
    };
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
    await this.#closing;
    await this.#session?.close();
  }
}
