/** The operation `ycsb`: reads, updates, inserts and changes of single records. */

import { crc32 } from 'node:zlib';

import { networkStatus, parameter, Status, WrongAnswer } from 'wirelab-sdk';

import { Sequences } from './sequences.js';
import { FIELDS, nameOfUser, sequenceOf, valueOf } from './user-table.js';
import { Draws, workloadOf } from './workload.js';

/** Its name in scenarios. */
export const OPERATION = 'ycsb';

/**
 * @typedef {object} RecordStore a store that has YCSB's user table as well, one record a call, of
 *   ten fields in order
 * @property {(key: string) => Promise<Buffer[] | null>} readRecord null where there is none
 * @property {(key: string, field: number, value: Buffer) => Promise<void>} writeRecord replaces a
 *   field of a record that is there
 * @property {(key: string, values: Buffer[]) => Promise<void>} insertRecord makes one that is not
 * @property {(key: string, field: number, value: Buffer) => Promise<Buffer[] | null>} modifyRecord
 *   reads a record and replaces a field of what was read, which it returns; where another one has
 *   written between, all of it is done again
 */

/** Work of lanes. */
export class Records {
  operation = OPERATION;
  #store;
  #draws;
  #sequences;

  /**
   * @param {import('wirelab-sdk').Spec} spec
   * @param {import('./reads.js').Store & RecordStore} store
   */
  constructor(spec, store) {
    if (!store.readRecord) throw new Error(`${OPERATION}: this client has no records`);
    this.#store = store;
    this.#draws = new Draws(spec);
    this.#sequences = new Sequences(this.#draws.records);
  }

  open() {
    return this.#store.open();
  }

  close() {
    return this.#store.close();
  }

  inRounds(step) {
    return parameter(step, 'barrier', false);
  }

  begin(step) {
    workloadOf(step);
  }

  /** Draw what is due, and note that it begins. */
  prepare({ step, tick, lane }) {
    const workload = workloadOf(step);
    const { kind, rank, field } = this.#draws.at(workload, tick, lane);
    const { newest } = this.#sequences;
    const record =
      kind === 'insert'
        ? this.#sequences.insert()
        : this.#draws.recordOf(workload, rank, newest);
    const mayFind = this.#sequences.beginRead(record);
    const task = { kind, record, newest, field, sequence: 0, values: [], mayFind };
    if (changes(kind)) {
      task.sequence = this.#sequences.beginWrite(record, field);
      task.values = [valueOf(record, field, task.sequence)];
    } else if (kind === 'insert') {
      task.values = Array.from({ length: FIELDS }, (_, each) => valueOf(record, each, 0));
    }
    return { ...task, key: nameOfUser(record) };
  }

  /** The timed part. */
  async call(task) {
    const { kind, key, field, values } = task;
    switch (kind) {
      case 'read':
        return { task, found: await this.#store.readRecord(key) };
      case 'modify':
        return { task, found: await this.#store.modifyRecord(key, field, values[0]) };
      case 'update':
        await this.#store.writeRecord(key, field, values[0]);
        return { task };
      default:
        await this.#store.insertRecord(key, values);
        return { task };
    }
  }

  /** Judges whether what was found is what had been written, and no older. */
  judge(_turn, { task, found }) {
    const { kind, record, newest, field, sequence, values } = task;
    const told = { kind, record, newest };
    if (kind === 'insert') this.#sequences.inserted(record);
    if (changes(kind)) {
      this.#sequences.endWrite(record, field, sequence);
      Object.assign(told, { field, sequence });
    }
    if (reads(kind)) {
      const writes = this.#found(task, found);
      if (!writes) return wrong(task, 'a field is not of this record, or is older than it may be');
      if (changes(kind) && !this.#sequences.isFirstChange(record, field, writes[field])) {
        return wrong(task, 'another change had replaced what this one read');
      }
      told.found = writes;
    }
    const size = 100 * (values.length + (found?.length ?? 0));
    const content = () => crc32(Buffer.concat(found)).toString(16).padStart(8, '0');
    const answer = () => (reads(kind) ? { ...told, content: content() } : told);
    return { status: Status.OK, size, answer };
  }

  /** The writes that a read found, by field; undefined where one of them cannot be. */
  #found({ record, mayFind }, fields) {
    if (fields?.length !== FIELDS) return undefined;
    const loaded = this.#draws.records;
    const found = fields.map((content, field) => sequenceOf(content, record, field, loaded));
    return found.every((one, field) => one !== undefined && mayFind(field, one))
      ? found
      : undefined;
  }

  statusOf(why) {
    return this.#store.statusOf?.(why) ?? networkStatus(why);
  }
}

const reads = (kind) => kind === 'read' || kind === 'modify';

const changes = (kind) => kind === 'update' || kind === 'modify';

function wrong({ kind, record }, why) {
  const error = new WrongAnswer(`${kind} of record ${record}: ${why}`);
  return { status: Status.WRONG_ANSWER, error };
}
