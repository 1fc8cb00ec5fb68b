/**
 * Large messages: a blob, many records at once, and records one after the other.
 *
 * They are made here, as the suite's README.md defines them: byte k of a blob is k mod 251, and
 * record k is point k mod 1,000 of the shape `telemetry`.
 */

import { timed } from './answers.js';
import { foldBytes, foldNative } from './folds.js';
import { usedBy } from './memory.js';
import { encodedFrom } from './preflight.js';
import { pool } from './shapes.js';
import { readsRecords, writesRecords } from './streams.js';

const MEGABYTE = 1e6;
const RECORD_BYTES = 20;
const BLOCK = 1000;
const MODULUS = 251;

/** The directions, at the ticks of their answers. */
const DIRECTIONS = ['to_bytes', 'from_bytes'];

/**
 * Calls of a library for large messages.
 * @typedef {object} Large
 * @property {import('./operations.js').Codec} blob of a Buffer
 * @property {(sink: import('./streams.js').Sink) => (record: import('./shapes.js').Point) => void}
 *   writer gives what writes a record
 * @property {(chunks: Iterable<Buffer>) => Iterable<import('./shapes.js').Point>} reader the records
 *   of a file, one after the other
 */

/**
 * A direction of a step, ready to be done again and again: does all of the data once, and gives the
 * fold of what came out. `told` gets what the answer says of it.
 * @typedef {(told: object) => number} Task
 */

/**
 * One step: its form (`blob`, `whole` or `stream`) and its size.
 * @param {string} step
 * @param {{ large: Large, telemetry: import('./operations.js').Codec }} contender
 * @param {(answer: object) => void} write
 */
export function largeStep(step, contender, write) {
  return {
    loopOf: async (operation) => {
      if (!DIRECTIONS.includes(operation)) return undefined;
      const task = taskOf(step, operation, contender);
      const run = (iterations) => {
        let checksum = 0;
        for (let k = 0; k < iterations; k += 1) checksum = (checksum + task({})) | 0;
        return checksum >>> 0;
      };
      return { run, inputs: 1, isLarge: true };
    },
    answer: async () => {
      DIRECTIONS.forEach((direction, tick) => {
        const { times, result, failed } = timed(() => answerOf(step, direction, contender));
        const answer = failed ?? { answer: result };
        write({ phase: 'measure', operation: 'once', step, tick, ...times, ...answer });
      });
    },
  };
}

function answerOf(step, direction, contender) {
  const told = {};
  const task = taskOf(step, direction, contender);
  const used = usedBy(() => task(told));
  return { ...told, ...used };
}

/** @returns {Task} */
function taskOf(step, direction, { large, telemetry }) {
  const [form, megabytes] = step.split('-');
  const size = Number(megabytes) * MEGABYTE;
  const points = pool('telemetry')[0].points;
  if (form === 'stream') {
    const times = size / RECORD_BYTES / BLOCK;
    const make = direction === 'to_bytes' ? writesRecords : readsRecords;
    return make(large, points, times);
  }
  const codec = form === 'blob' ? large.blob : telemetry;
  const native = form === 'blob' ? blobOf(size) : recordsOf(points, size / RECORD_BYTES / BLOCK);
  if (direction === 'to_bytes') return writes(codec, native);
  return reads(codec, encodedFrom(codec, native), form === 'blob' ? foldBytes : foldNative.telemetry);
}

/** So many times the points, each an object of its own. */
function recordsOf(points, times) {
  const each = Array.from({ length: times }, () => points.map((point) => ({ ...point })));
  return { points: each.flat() };
}

function blobOf(size) {
  return Buffer.alloc(
    size,
    Buffer.from(Array.from({ length: MODULUS }, (_, k) => k)),
  );
}

/** @returns {Task} */
function writes(codec, native) {
  return (told) => {
    const bytes = encodedFrom(codec, native);
    const { length } = bytes;
    const [first, middle, last] = [0, length >>> 1, length - 1].map((at) => bytes[at]);
    Object.assign(told, { size: length, first, middle, last });
    return foldBytes(bytes);
  };
}

/** @returns {Task} */
function reads({ decode, fromMessage }, bytes, fold) {
  return (told) => {
    const decoded = decode(bytes);
    const sum = fold(fromMessage ? fromMessage(decoded) : decoded);
    told.fold = sum >>> 0;
    return sum;
  };
}
