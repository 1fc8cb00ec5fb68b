/** Large messages: the library's own message of bytes, and records with their lengths before them. */

import protobuf from 'protobufjs';
import { cut, safeNumber } from 'wirelab-codec';

/** A varint of a length has five bytes at most. */
const MOST_LENGTH_BYTES = 5;

const wrappers = protobuf.Root.fromJSON(protobuf.common.get('google/protobuf/wrappers.proto'));
const bytesValue = wrappers.lookupType('google.protobuf.BytesValue');

/**
 * @param {protobuf.Type} point
 * @returns {object} what the harness asks of a library
 */
export function largeOf(point) {
  return {
    blob: {
      toMessage: (value) => ({ value }),
      encode: (message) => bytesValue.encode(message).finish(),
      decode: (bytes) => bytesValue.decode(bytes),
      // It is a view of the message.
      fromMessage: ({ value }) => Buffer.from(value),
    },
    writer: (sink) => (record) => sink.write(point.encodeDelimited(record).finish()),
    *reader(chunks) {
      for (const bytes of cut(chunks, endOf)) {
        const { time, value, quality } = point.decodeDelimited(bytes);
        yield { time: safeNumber(time), value, quality };
      }
    },
  };
}

/** End of the message that begins there; 0 where that is not in the bytes. */
function endOf(bytes, from) {
  let length = 0;
  for (let k = 0; k < MOST_LENGTH_BYTES && from + k < bytes.length; k += 1) {
    const byte = bytes[from + k];
    length += (byte & 0x7f) * 2 ** (7 * k);
    if (byte < 0x80) {
      const end = from + k + 1 + length;
      return end <= bytes.length ? end : 0;
    }
  }
  return 0;
}
