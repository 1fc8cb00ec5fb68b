/**
 * Avro's `long` as numbers that are right up to 2^53.
 *
 * The library's own type does the zigzag coding in floating point, and beyond 2^52 it loses the
 * lowest bit of it, which is the sign. This is its documented way to give `long` another
 * representation: it unpacks the varint into eight bytes, and these are read here.
 */

import avro from 'avsc';

const TWO_32 = 2 ** 32;

export const exactLong = avro.types.LongType.__with({
  fromBuffer(bytes) {
    const value = bytes.readInt32LE(4) * TWO_32 + bytes.readUInt32LE(0);
    if (!Number.isSafeInteger(value)) throw new RangeError('a long beyond 2^53');
    return value;
  },
  toBuffer(value) {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeInt32LE(value | 0, 0);
    bytes.writeInt32LE(Math.floor(value / TWO_32), 4);
    return bytes;
  },
  fromJSON: Number,
  toJSON: Number,
  isValid: Number.isSafeInteger,
  compare: (one, other) => Math.sign(one - other),
});
