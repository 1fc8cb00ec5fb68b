/** Numbers of writes, and what a read may find by the order in which they began and ended. */

import { FIELDS } from './user-table.js';

const LOADED = new Set([0]);

/** Writes of a field that a read may find. */
class History {
  /** Ended writes that no other one replaced: it began when they had ended. */
  ended = new Set(LOADED);
  /** By write: what had ended before it began. One that failed may have come through: it stays. */
  underWay = new Map();
  /** Values that a change has replaced: it had read them, and nobody had written since. */
  changed = new Set();
}

/**
 * Numbers writes in the order in which they begin. A read that finds a value which was replaced by a
 * write that had ended before the read began has found a stale one.
 */
export class Sequences {
  #histories = new Map();
  #waiting = new Set();
  #last = 0;
  #inserted;

  /** @param {number} records that are there */
  constructor(records) {
    this.#inserted = records;
    /** The highest number below which every record is there. */
    this.newest = records - 1;
  }

  /** Number of a record that is to be inserted. */
  insert() {
    this.#inserted += 1;
    return this.#inserted - 1;
  }

  /** The record is there. */
  inserted(record) {
    this.#waiting.add(record);
    while (this.#waiting.delete(this.newest + 1)) this.newest += 1;
  }

  /**
   * Notes what a read of a record that begins now may find, and tells whether a write of a field is
   * of it.
   */
  beginRead(record) {
    const fields = this.#histories.get(record);
    const then = Array.from({ length: FIELDS }, (_, field) => {
      const known = fields?.[field];
      return known ? new Set([...known.ended, ...known.underWay.keys()]) : LOADED;
    });
    const since = this.#last;
    return (field, sequence) => sequence > since || then[field].has(sequence);
  }

  /** A write of a field begins; its sequence number. */
  beginWrite(record, field) {
    if (!this.#histories.has(record)) this.#histories.set(record, new Array(FIELDS));
    const fields = this.#histories.get(record);
    fields[field] ??= new History();
    this.#last += 1;
    fields[field].underWay.set(this.#last, new Set(fields[field].ended));
    return this.#last;
  }

  /** The write was acknowledged. */
  endWrite(record, field, sequence) {
    const { ended, underWay } = this.#histories.get(record)[field];
    for (const replaced of underWay.get(sequence)) ended.delete(replaced);
    underWay.delete(sequence);
    ended.add(sequence);
  }

  /** Tells whether a change is the first that replaced what it had read. */
  isFirstChange(record, field, before) {
    const { changed } = this.#histories.get(record)[field];
    const isFirst = !changed.has(before);
    changed.add(before);
    return isFirst;
  }
}
