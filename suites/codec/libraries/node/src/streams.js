/** Records one after the other, to a file that keeps nothing and from one that repeats itself. */

const { imul } = Math;

/** Bytes that go to a file at once, and come from one: as many as Node.js's own streams take. */
const CHUNK = 65_536;

/**
 * Anything that bytes can be written to.
 * @typedef {{ write: (bytes: Uint8Array) => void }} Sink
 */

/**
 * Cut a file into records.
 * @param {Iterable<Buffer>} chunks
 * @param {(bytes: Buffer, from: number) => number} endOf where the record ends that begins there;
 *   0 where more bytes are needed to know
 * @returns {Generator<Buffer>}
 */
export function* cut(chunks, endOf) {
  let held = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    let at = 0;
    for (let end = endOf(bytes, at); end > 0; end = endOf(bytes, at)) {
      yield bytes.subarray(at, end);
      at = end;
    }
    held = bytes.subarray(at);
  }
  if (held.length > 0) throw new RangeError('the file ends within a record');
}

/**
 * Write the records so many times over.
 * @param {import('./large.js').Large} large
 * @param {import('./shapes.js').Point[]} records
 * @param {number} times
 * @returns {import('./large.js').Task}
 */
export function writesRecords(large, records, times) {
  return (told) => {
    const ends = new Ends();
    const write = large.writer(ends);
    for (let time = 0; time < times; time += 1) for (const record of records) write(record);
    ends.flush();
    const { size, first, last } = ends;
    Object.assign(told, { size, first, last });
    return (7 * size + first + 5 * last) | 0;
  };
}

/**
 * Read them from a file that has them so many times.
 * @param {import('./large.js').Large} large
 * @param {import('./shapes.js').Point[]} records
 * @param {number} times
 * @returns {import('./large.js').Task}
 */
export function readsRecords(large, records, times) {
  const parts = [];
  const write = large.writer({ write: (bytes) => parts.push(Buffer.from(bytes)) });
  for (const record of records) write(record);
  const block = Buffer.concat(parts);
  return (told) => {
    let sum = 0;
    for (const { time, value, quality } of large.reader(repeated(block, times))) {
      sum = (sum + 101 + imul(3, time) + imul(5, value) + imul(7, quality)) | 0;
    }
    told.fold = sum >>> 0;
    return sum;
  };
}

/** A file that keeps nothing but its length, its first byte and its last one. */
class Ends {
  #room = Buffer.allocUnsafe(CHUNK);
  #filled = 0;
  size = 0;
  first = 0;
  last = 0;

  /** @param {Uint8Array} bytes */
  write(bytes) {
    if (this.#filled + bytes.length > CHUNK) this.flush();
    if (bytes.length > CHUNK) {
      this.#take(bytes);
      return;
    }
    this.#room.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  flush() {
    this.#take(this.#room.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #take(bytes) {
    if (bytes.length === 0) return;
    if (this.size === 0) [this.first] = bytes;
    this.size += bytes.length;
    this.last = bytes[bytes.length - 1];
  }
}

/** Chunks of a file that holds the same bytes again and again: each is new, as a stream's are. */
function* repeated(block, times) {
  let left = block.length * times;
  let at = 0;
  while (left > 0) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, left));
    for (let filled = 0; filled < chunk.length; ) {
      const copied = block.copy(chunk, filled, at);
      filled += copied;
      at = (at + copied) % block.length;
    }
    left -= chunk.length;
    yield chunk;
  }
}
