/** cbor-x: maps that every decoder reads. */

import { Encoder } from 'cbor-x';
import { serveCodec, withIntegers } from 'wirelab-codec';
import { installedVersion, parameter } from 'wirelab-sdk';

function encoderOf(spec) {
  return new Encoder({
    useRecords: false,
    int64AsNumber: parameter(spec, 'int64_as_number', true),
  });
}

await serveCodec({
  library: installedVersion('cbor-x'),
  format: 'cbor',
  open(shape, spec) {
    const encoder = encoderOf(spec);
    const prepared = parameter(spec, 'bigint', true) ? withIntegers[shape] : undefined;
    return {
      encode: prepared
        ? (native) => encoder.encode(prepared(native))
        : (native) => encoder.encode(native),
      decode: (bytes) => encoder.decode(bytes),
    };
  },
  version(_, spec) {
    const encoder = encoderOf(spec);
    return {
      encode: (value) => encoder.encode(value),
      decode: (bytes) => encoder.decode(bytes),
    };
  },
});
