/** The record of `evolution`: messages of each version, by the code that is generated for it. */

import { create, fromBinary, ScalarType, toBinary } from '@bufbuild/protobuf';

import * as generated from './evolution_pb.js';

/**
 * The codec of a version.
 * @param {string} name
 */
export function versionCodec(name) {
  const schema = generated[`${name[0].toUpperCase()}${name.slice(1)}Schema`];
  const levels = schema.field.level.enum.values;
  const wide = schema.field.count.scalar === ScalarType.INT64;
  return {
    toMessage: (value) =>
      create(schema, {
        ...value,
        count: wide ? BigInt(value.count) : value.count,
        level: levels.find(({ localName }) => localName === value.level.toUpperCase()).number,
      }),
    encode: (message) => toBinary(schema, message),
    decode: (bytes) => fromBinary(schema, bytes),
    fromMessage: (message) =>
      Object.fromEntries(schema.fields.map(({ localName }) => [localName, message[localName]])),
  };
}
