/** Reads of many callers at a time: in a session that they share, or each in one of its own. */

import { Status } from 'wirelab-sdk';

import { CAPABILITIES } from './caller.js';
import { outcomeOfRead } from './results.js';

class NotOpened extends Error {
  name = 'NotOpened';
}

export class ReadLanes {
  capabilities = CAPABILITIES;
  operation = 'read';
  #library;
  #nodeLists;
  /** True where every user opens a session of its own. */
  #apart;
  /** @type {Map<number, import('./client.js').Session>} */
  #sessions = new Map();

  constructor(spec, library, nodeLists) {
    this.#library = library;
    this.#nodeLists = nodeLists;
    this.#apart = Object.values(spec.operations).some(({ due }) => due === 'join');
  }

  async open() {
    await this.#library.prepare();
    if (!this.#apart) await this.join(0);
  }

  async join(user) {
    this.#sessions.set(user, await this.#library.open());
  }

  begin() {}

  prepare({ lane }) {
    return this.#sessions.get(this.#apart ? lane : 0);
  }

  async call(session) {
    if (session === undefined) throw new NotOpened('its session could not be opened');
    return session.read();
  }

  judge(_turn, results) {
    return outcomeOfRead(this.#nodeLists, results);
  }

  statusOf(why) {
    if (why instanceof NotOpened) return Status.DISCONNECTED;
    return this.#library.failed(why).status;
  }

  inRounds() {
    return false;
  }

  close() {
    const leaving = [...this.#sessions.values()].map((session) => session.close());
    return Promise.allSettled(leaving);
  }
}
