/** Large messages: the library's own message of bytes, and records with their lengths before them. */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { sizeDelimitedEncode, sizeDelimitedPeek } from '@bufbuild/protobuf/wire';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import { cut, safeNumber } from 'wirelab-codec';

import { TelemetryPointSchema } from './shapes_pb.js';

/** A varint of a length has five bytes at most. */
const MOST_LENGTH_BYTES = 5;

export const large = {
  blob: {
    toMessage: (value) => create(BytesValueSchema, { value }),
    encode: (message) => toBinary(BytesValueSchema, message),
    decode: (bytes) => fromBinary(BytesValueSchema, bytes),
    // It is a view of the message.
    fromMessage: ({ value }) => Buffer.from(value),
  },
  writer: (sink) => (record) => sink.write(sizeDelimitedEncode(TelemetryPointSchema, pointOf(record))),
  *reader(chunks) {
    for (const bytes of cut(chunks, endOf)) {
      const { offset } = sizeDelimitedPeek(bytes);
      const { time, value, quality } = fromBinary(TelemetryPointSchema, bytes.subarray(offset));
      yield { time: safeNumber(time), value, quality };
    }
  },
};

function pointOf({ time, value, quality }) {
  return create(TelemetryPointSchema, { time: BigInt(time), value, quality });
}

/** End of the message that begins there; 0 where that is not in the bytes. */
function endOf(bytes, from) {
  const { eof, size, offset } = sizeDelimitedPeek(bytes.subarray(from, from + MOST_LENGTH_BYTES));
  if (eof) return 0;
  const end = from + offset + size;
  return end <= bytes.length ? end : 0;
}
