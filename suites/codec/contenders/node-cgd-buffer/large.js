/** Large messages: blobs as lists of bytes, and records that follow each other, all of one size. */

import { cut } from 'wirelab-codec';

const RECORD_BYTES = 20;

const blob = {
  append: (writer, bytes) => writer.appendBytes(bytes),
  extract: (reader) => reader.extractBytes(),
};

const point = {
  append(writer, { time, value, quality }) {
    writer.appendInt64(time);
    writer.appendDouble(value);
    writer.appendInt32(quality);
  },
  extract: (reader) => ({
    time: reader.extractInt64(),
    value: reader.extractDouble(),
    quality: reader.extractInt32(),
  }),
};

/**
 * @param {(shape: { append: Function, extract: Function }) => { encode: Function, decode: Function }}
 *   codecOf
 */
export function largeOf(codecOf) {
  const records = codecOf(point);
  return {
    blob: codecOf(blob),
    writer: (sink) => (record) => sink.write(records.encode(record)),
    *reader(chunks) {
      for (const bytes of cut(chunks, endOf)) yield records.decode(bytes);
    },
  };
}

function endOf(bytes, from) {
  const end = from + RECORD_BYTES;
  return end <= bytes.length ? end : 0;
}
