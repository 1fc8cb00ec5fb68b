/** The operation `read`, and the worker around it and around single records. */

import { drive, networkStatus, parameter, Status, WrongAnswer } from 'wirelab-sdk';

import { MULTI_GETS, multiGetOf, keysOf } from './multi-gets.js';
import { OPERATION, Records } from './records.js';
import { checksum, summaryOf } from './rows.js';

/**
 * @typedef {import('./rows.js').Row} Row
 * @typedef {object} Store a client of one database, which all lanes share
 * @property {() => Promise<void>} open connects; called again only where it has failed
 * @property {(set: number, keys: string[]) => any} prepare what `read` takes, untimed
 * @property {(prepared: any) => Promise<(Row | null)[]>} read a row a key in the order asked, null
 *   where there is no record; decoded
 * @property {(why: unknown) => number} [statusOf] how a failure of the library is recorded; left
 *   out: by the network's codes alone
 * @property {() => unknown} close gives connections back, and has nothing to do where there are none
 */

/**
 * Be the worker of a contender. Call it once, as the last thing.
 * @param {{ name: string, version: string }} library
 * @param {(spec: import('wirelab-sdk').Spec) => Store & Partial<import('./records.js').RecordStore>}
 *   make with what works on single records, where the client has it
 */
export function readMultiGets(library, make) {
  return drive(library, (spec) => {
    const work = OPERATION in spec.operations ? Records : Reads;
    return new work(spec, make(spec));
  });
}

/** A server that was restarted has not all of its records again. */
class MissingRecords extends Error {
  name = 'MissingRecords';
}

class Reads {
  operation = 'read';
  #spec;
  #store;
  /** By the name of the step; steps that draw alike have the same multi-gets. */
  #steps = new Map();
  #drawn = new Map();
  /** True where the server loses its records when it is restarted. */
  #forgets;
  #opening;
  #underWay = 0;
  #tellIdle;

  constructor(spec, store) {
    this.#spec = spec;
    this.#store = store;
    this.#forgets = spec.facts?.server?.forgets === true;
  }

  /** Connect, unless that has been done. */
  open() {
    this.#opening ??= this.#store.open().catch((why) => {
      this.#opening = undefined;
      throw why;
    });
    return this.#opening;
  }

  /** Only when no call is under way: a library in C may not survive less. */
  async close() {
    if (this.#underWay > 0) {
      await new Promise((resolve) => {
        this.#tellIdle = resolve;
      });
    }
    await this.#store.close();
  }

  inRounds(step) {
    return parameter(step, 'barrier', false);
  }

  begin(step) {
    const draw = drawOf(step);
    const key = JSON.stringify(draw);
    if (!this.#drawn.has(key)) this.#drawn.set(key, this.#multiGets(draw));
    this.#steps.set(step.name, this.#drawn.get(key));
  }

  #multiGets(draw) {
    return Array.from({ length: MULTI_GETS }, (_, number) => ({
      draw,
      number,
      asked: this.#store.prepare(draw.set, keysOf(this.#spec.seed, draw, number)),
      /** Summary that the multi-get gave the first time; of a server that forgets, the most. */
      first: undefined,
    }));
  }

  prepare({ step, tick, lane }) {
    return this.#steps.get(step.name)[multiGetOf(tick, lane)].asked;
  }

  /** The timed part; it connects where nobody has. */
  async call(asked) {
    await this.open();
    this.#underWay += 1;
    try {
      return await this.#store.read(asked);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#tellIdle?.();
    }
  }

  /** Like the same multi-get before, or a wrong answer; records that were forgotten are missing. */
  judge({ step, tick, lane }, rows) {
    const multiGet = this.#steps.get(step.name)[multiGetOf(tick, lane)];
    const { draw, number } = multiGet;
    const seen = summaryOf(rows);
    if (!multiGet.first || (this.#forgets && seen.found > multiGet.first.found)) multiGet.first = seen;
    const { first } = multiGet;
    const isRight =
      seen.rows === draw.keys &&
      Number.isSafeInteger(seen.sum) &&
      seen.found === first.found &&
      seen.sum === first.sum;
    if (!isRight) {
      const said = JSON.stringify({ multi_get: number, ...draw, seen, first });
      if (this.#forgets && seen.found < first.found) {
        return { status: Status.ITEM_ERROR, error: new MissingRecords(said) };
      }
      return { status: Status.WRONG_ANSWER, error: new WrongAnswer(said) };
    }
    const answer = () => ({
      multi_get: number,
      set: draw.set,
      keys: draw.keys,
      found: seen.found,
      checksum: checksum(rows),
    });
    return { status: Status.OK, size: seen.found, answer };
  }

  statusOf(why) {
    return this.#store.statusOf?.(why) ?? networkStatus(why);
  }
}

/** Reads what the parameters of a step ask for. */
function drawOf(step) {
  const keysAre = parameter(step, 'keys_are', 'drawn');
  if (keysAre !== 'drawn' && keysAre !== 'repeated') {
    throw new Error(`keys_are must be drawn or repeated, found ${keysAre}`);
  }
  return {
    set: parameter(step, 'set', 1),
    keys: parameter(step, 'keys', 50),
    universe: parameter(step, 'universe', 10_000),
    repeated: keysAre === 'repeated',
  };
}
