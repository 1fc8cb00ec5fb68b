/** Lists of what a client reads and writes: nodes in their text form, and values. */

import { readFileSync } from 'node:fs';

import { parameter, SpecError } from 'wirelab-sdk';

const TAGS = 2000;
const FIRST_DOUBLE = 1000;
const FIRST_STRING = 1800;
const WRITE_STRIDE = 10;
const UNKNOWN_NODE = 'ns=1;s=no-such-tag';
const UNKNOWN_POSITION = 3;
const SEQUENCES = { preflight: 900_000, measure: 1_000_000 };

/**
 * Sequence of the values that the write of a turn writes.
 * @param {{ phase: 'preflight' | 'measure', tick: number }} turn
 */
export function sequenceOf({ phase, tick }) {
  return SEQUENCES[phase] + tick;
}

export class NodeLists {
  #wrongType;

  /** @param {any} spec */
  constructor(spec) {
    const probe = parameter(spec, 'probe', 'read');
    const list = spec.facts?.server?.node_list;
    /** True where nodes are of a server of the user's own, whose values nobody knows. */
    this.own = list !== undefined;
    /** The nodes of every read, in order. */
    this.reads = this.own
      ? readFileSync(list, 'utf8').trim().split('\n')
      : nodes(spec, 'read', TAGS, 1);
    if (probe === 'unknown-node') this.reads[UNKNOWN_POSITION] = UNKNOWN_NODE;
    /** The nodes of every write, in order. */
    this.writes = nodes(spec, 'write', TAGS / WRITE_STRIDE, WRITE_STRIDE);
    /** The nodes whose changes are watched, in order. */
    this.watched = ['notification', 'poll'].flatMap((way) => nodes(spec, way, TAGS, 1));
    this.#wrongType = probe === 'wrong-type';
  }

  /**
   * Value that the write of a sequence puts at a position, with the type of its tag.
   * @param {number} position
   * @param {number} sequence
   * @returns {{ type: 'Int32' | 'Double' | 'String', value: number | string }}
   */
  value(position, sequence) {
    if (this.#wrongType && position === 0) return { type: 'String', value: 'not an Int32' };
    return tagValue(position * WRITE_STRIDE, sequence);
  }
}

/**
 * @param {number} tag
 * @param {number} sequence
 * @returns {{ type: 'Int32' | 'Double' | 'String', value: number | string }}
 */
export function tagValue(tag, sequence) {
  const x = (tag * 7919 + sequence * 104_729) % 2 ** 31;
  if (tag < FIRST_DOUBLE) return { type: 'Int32', value: x };
  if (tag < FIRST_STRING) return { type: 'Double', value: x / 1000 };
  const text = `tag${String(tag).padStart(4, '0')}-${String(x).padStart(10, '0')}`;
  return { type: 'String', value: text };
}

/** Nodes of an operation; none where the scenario has no such operation. */
function nodes(spec, operation, most, stride) {
  const items = spec.operations[operation]?.items ?? 0;
  if (items > most) {
    throw new SpecError(`operations.${operation}.items: expected at most ${most}, found ${items}`);
  }
  return Array.from(
    { length: items },
    (_, position) => `ns=1;s=T${String(position * stride).padStart(4, '0')}`,
  );
}
