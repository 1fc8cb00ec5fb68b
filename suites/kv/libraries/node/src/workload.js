/** Work of a lane at a tick of YCSB's workloads; `README.md` of the suite defines it. */

import { parameter } from 'wirelab-sdk';

import { mix } from './multi-gets.js';
import { FIELDS } from './user-table.js';

/** Number of reads among 100 operations, and kind of the others. */
const WORKLOADS = {
  a: { reads: 50n, other: 'update' },
  b: { reads: 95n, other: 'update' },
  c: { reads: 100n, other: 'read' },
  d: { reads: 95n, other: 'insert' },
  f: { reads: 50n, other: 'modify' },
};

/** The workload that reads what was inserted last most; the others have favourites everywhere. */
const LATEST = 'd';

const U64 = 0xffff_ffff_ffff_ffffn;

/** The workload of a step. */
export function workloadOf(step) {
  const name = parameter(step, 'workload', 'c');
  if (!Object.hasOwn(WORKLOADS, name)) {
    throw new Error(`workload must be one of ${Object.keys(WORKLOADS)}, found ${name}`);
  }
  return name;
}

/** Draws by what the database says of its table: how often each rank is asked for. */
export class Draws {
  #seed;
  #first;
  #until;

  /** @param {{ seed: number, facts: any }} spec */
  constructor(spec) {
    const said = spec.facts?.server?.popularity;
    if (!said) throw new Error('the facts of the server have no popularity of records');
    /** Records that were there before the first operation. */
    this.records = said.records;
    this.#seed = mix(BigInt(spec.seed));
    this.#first = said.first;
    this.#until = said.until;
  }

  /**
   * Draws what is done, the rank of the record (0 is the one asked for most), and the field that is
   * written.
   */
  at(workload, tick, lane) {
    const h = mix(this.#seed ^ ((BigInt(tick) << 16n) | BigInt(lane)));
    const drawn = (n) => mix((h + n) & U64);
    const group = this.#groupAt(Number(drawn(1n) % BigInt(this.#until.at(-1))));
    const first = this.#first[group];
    const end = this.#first[group + 1] ?? this.records;
    const { reads, other } = WORKLOADS[workload];
    return {
      kind: h % 100n < reads ? 'read' : other,
      rank: first + Number(drawn(2n) % BigInt(end - first)),
      field: Number(drawn(3n) % BigInt(FIELDS)),
    };
  }

  /** The first group whose weights end behind this one. */
  #groupAt(weight) {
    let [low, high] = [0, this.#until.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#until[middle] > weight) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The record of a rank; `newest` is the last one that was inserted. */
  recordOf(workload, rank, newest) {
    return workload === LATEST ? newest - rank : Number(mix(BigInt(rank)) % BigInt(this.records));
  }
}
